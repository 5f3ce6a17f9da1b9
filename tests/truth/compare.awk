# Are stacks as they are? awk -f compare.awk -v exceptions=FILE -v name=CASE TRUTH SCRIPT
#
# TRUTH is what the stepper wrote, SCRIPT what cresset export -f script makes of the recording. Prints
# a line with counts, the first stacks that are wrong, and fails if there is one. A stack that the
# sample does not reach the end of has to be right as far as the sample reaches, and may be shorter.

BEGIN {
	share = 0.05 # of the samples may be exceptions, and not more
	while ((getline line < exceptions) > 0)
		if (line !~ /^(#|$)/ && split(line, f, "\t") == 4) {
			where[++rules] = f[1]
			rule_function[rules] = "^(" f[2] ")$"
			rule_object[rules] = "^(" f[3] ")$"
			why[rules] = f[4]
		}
	if (!rules) {
		print name ": no exceptions in " exceptions
		failed = 1
		exit 1
	}
}

FNR == NR {
	time = $1
	reach[time] = $2
	sub(/^[0-9]+ [0-9]+ /, "")
	truth[time] = $0
	samples++
	next
}

/^[^\t]/ {
	time = ""
	for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+[.][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]:$/) {
			time = $i
			gsub(/[.:]/, "", time)
		}
	n = 0
	next
}

/^\t[0-9a-f]+ / {
	n++
	got[n] = $1
	object[n] = $NF
	symbol[n] = $2
	sub(/^[(]/, "", object[n])
	sub(/[)]$/, "", object[n])
	sub(/[+]0x[0-9a-f]+$/, "", symbol[n])
	next
}

/^$/ && time != "" {
	judge()
	time = ""
}

function judge(    want, m, right, i) {
	seen++
	m = split(truth[time], want, " ")
	for (right = 0; right < m && right < n && got[right + 1] == want[right + 1];)
		right++
	if (right == m && n == m) {
		whole++
		return
	}
	if (reach[time] < m && right >= reach[time] && right == n) {
		cut++
		return
	}
	for (i = 1; i <= rules; i++)
		if (right > 0 && meets(i, where[i] == "leaf" ? 1 : right)) {
			excepted[i]++
			exceptions_met++
			return
		}
	wrong++
	where_wrong = right ? symbol[right] " (" object[right] ")" (right == 1 ? ", the leaf" : "") : "nothing"
	if (!by_place[where_wrong]++ && ++shown <= 5) {
		printf "%s: %s: right down to %s\n", name, time, where_wrong
		for (i = 1; i <= n || i <= m; i++)
			printf "    %-16s %-16s %s\n", i <= m ? want[i] : "-", i <= n ? got[i] : "-",
				i <= n ? symbol[i] " (" object[i] ")" : ""
	}
}

function meets(rule, frame) {
	return symbol[frame] ~ rule_function[rule] && object[frame] ~ rule_object[rule]
}

END {
	if (failed)
		exit 1
	printf "%s: %d samples, %d right", name, samples, whole
	if (cut)
		printf ", %d right as far as recorded", cut
	if (exceptions_met)
		printf ", %d excepted", exceptions_met
	if (wrong)
		printf ", %d WRONG", wrong
	if (seen != samples)
		printf ", %d MISSING", samples - seen
	print ""
	for (i = 1; i <= rules; i++)
		if (excepted[i])
			counts = counts sprintf("    %d: %s\n", excepted[i], why[i])
	if (verbose)
		printf "%s", counts
	for (where_wrong in by_place)
		printf "    %d wrong, right down to %s\n", by_place[where_wrong], where_wrong
	if (exceptions_met > share * samples + 20) {
		print "    too many exceptions"
		exit 1
	}
	exit wrong || seen != samples || !samples
}
