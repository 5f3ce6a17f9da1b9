# Recordings of a made fleet, as perf script prints them, for docs/fleets.md: one file for each host, in the directory
# recordings. Every tenth host spends 12 % in compress instead of 5 %, as if it ran a new version.
#
#	awk -f make-fleet.awk [-v hosts=N] [-v samples=N]
#
# The numbers are the same with every awk.
function chance() { return (seed = seed * 16807 % 2147483647) / 2147483647 }

function add(name, share) {
	names[++functions] = name
	shares[functions] = share
}

function host(h,   file, i, k, now, sum, at) {
	file = sprintf("recordings/web%02d.script", h)
	printf "# hostname : web%02d\n# captured on    : Fri Jan  2 03:04:05 2026\n", h >file
	now = 1000
	for (i = 0; i < samples; i++) {
		now += 10 + int(chance() * 3)
		at = chance() * (h % 10 ? 1 : 1.08)
		if (at >= 1) {
			k = 1
		} else {
			sum = shares[k = 1]
			while (at >= sum && k < functions)
				sum += shares[++k]
		}
		printf "web  %d/%d  [00%d]  %d.%03d000000:  10000000 cpu-clock:\n", 100 + h, 101 + h, i % 2, now / 1000, now % 1000 >file
		printf "\t%x %s+0x10 (/usr/bin/web)\n\t10 main+0x10 (/usr/bin/web)\n\n", 4096 * k, names[k] >file
	}
	close(file)
}

BEGIN {
	if (!hosts) hosts = 40
	if (!samples) samples = 1500
	seed = 7
	add("compress", 0.05)
	add("parse", 0.20)
	add("render", 0.15)
	add("hash", 0.10)
	for (i = 1; i <= 10; i++)
		add("step" i, 0.05)
	system("mkdir -p recordings")
	for (h = 1; h <= hosts; h++)
		host(h)
}
