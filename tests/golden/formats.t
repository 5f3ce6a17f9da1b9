# How the format of an input is known or said, what its counts are of, and what is told of its lines.
. "$SRC/tests/golden/ready.sh"
two_threads
printf 'work\nmain\n\t12\nmain\n\t3\n' >plain.bt
printf 'a;b 1\na;c 2\n' >plain.folded
touch -t 202601020304.05 plain.bt

echo '# told from the content, or said'
for command in report info view doctor brief; do
	cresset $command plain.bt >detected 2>&1
	cresset $command --format stap plain.bt >said 2>&1
	cresset $command --format stap - <plain.bt >piped 2>&1
	grep -c 'main\|stap' detected said piped | tr '\n' ' '
	echo "$command"
done
run cresset ingest -f stap -n kept plain.bt
run cresset collapse stap plain.bt
run cresset collapse stap <plain.bt
run cresset collapse --format folded plain.folded
run cresset export --input-format folded -f folded plain.folded
run cresset collapse --format stap plain.folded
cresset info plain.bt | grep 'format\|detected'
cresset help formats | head -n 5

echo '# what could be two'
printf 'goroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1d\nFull thread dump X:\n' >both
run cresset report both
run cresset collapse gotrace both

echo '# packed, in UTF-16, and both'
printf '\377\376a\0;\0\344\0 \0001\0\n\0' >wide.folded
printf '\376\377\0a\0;\0\344\0 \0001\0\n' >other.folded
run cresset collapse wide.folded
run cresset collapse other.folded
gzip -c wide.folded | cresset collapse
printf '\377\376a\0;\0\0\330b\0 \0001\0\n\0' >half.folded
run cresset collapse --strict half.folded

echo '# a unit'
run cresset info --unit us plain.bt
run cresset report --unit bytes plain.folded
run cresset report --unit parsecs plain.folded
cresset info --unit bytes --symfs sym two.data 2>&1 | grep unit

echo '# lines that cannot be read: five of a kind, then how many'
for n in 1 2 3 4 5 6 7; do
	printf 'WARNING: \033[31m%s\n' $n
done | cat - plain.bt >noisy.bt
run cresset collapse noisy.bt
printf 'a;b 1\nx\ny\nz\n' >thin
run cresset report --strict --format folded thin

echo '# text of others around a profile is counted'
printf 'start\nx.E: no\n\tat a.B.c(D.java:3)\n\tat a.B.main(D.java:9)\n12:00 running\nstop\n' >log
run cresset collapse log
cresset info log | grep 'passed over'

echo '# nothing in it'
: >empty
printf '\n\n' >blank
printf '# nothing\n' >comment
for command in report info view doctor collapse; do
	for file in empty blank comment; do
		cresset $command $file
		printf '%s %s\n' $command $?
	done
done
run cresset ingest empty plain.bt
run cresset collapse folded comment
:
