# Two builds of one program, and two runs of a JIT compiler, are compared although their paths differ.

# script PATH-OF-BUILD PROGRAM LEX PID-OF-JIT DSO-OF-JIT: what it costs in percent, or so
script() {
	sample "$2" "$3" lex "$1/bin/$2" main "$1/bin/$2"
	sample "$2" 20 parse "$1/bin/$2" main "$1/bin/$2"
	sample "$2" 10 '[unknown]' "$1/bin/$2" main "$1/bin/$2"
	sample "$2" 10 'lib_f' "$1/lib/libz.so.1.2.$4" main "$1/bin/$2"
	sample "$2" 10 'LazyCompile:~render /srv/app.js:10' "$5" main "$1/bin/$2"
	sample "$2" 10 '[unknown]' "$5" main "$1/bin/$2"
	sample "$2" 5 ext4_read "$6" entry '[kernel.kallsyms]'
}

# sample COMM WEIGHT LEAF DSO CALLER DSO
sample() {
	printf '%s 1 [000] 1.000100: %s cpu-clock:\n\tb3ce %s (%s)\n\ta000 %s (%s)\n\n' "$1" "$2" "$3" "$4" "$5" "$6"
}

script /home/a/build server 20 11 /tmp/perf-11.map '[ext4]' >before.txt
script /srv/out.new server 40 13 '[JIT] tid 13' /lib/modules/6.1/fs/ext4/ext4.ko.xz >after.txt
script /srv/out.new server-2.0 40 14 /tmp/jitted-14-7.so '[ext4]' >renamed.txt
{
	script /srv/out server 40 15 /tmp/perf-15.map '[ext4]'
	sample server 50 'LazyCompile:~render /srv/app.js:10' /tmp/perf-16.map main /srv/out/bin/server
} >two-jits.txt
touch -t 202601020304.05 ./*.txt

echo '# another directory, another version of a library, another process'
run cresset diff before.txt after.txt
run cresset diff before.txt after.txt --sort dso
run cresset diff before.txt after.txt --granularity dso
run cresset diff before.txt after.txt --group dso -f folded
run cresset diff before.txt after.txt --match path --sort object

echo '# another name: the main executables are one, and that is said'
run cresset diff before.txt renamed.txt --sort object
run cresset diff before.txt renamed.txt --limit 3
run cresset diff renamed.txt before.txt --sort comm
run cresset diff before.txt renamed.txt --match path --sort object --limit 4

echo '# code of several processes has the name of none'
run cresset diff before.txt two-jits.txt --sort object
run cresset diff before.txt two-jits.txt --match name --limit 2
run cresset diff before.txt two-jits.txt --match both

echo '# what one side does not know of a name; numbers of lambdas; a function that may have been renamed'
# other F LAMBDA NAME OVERLOAD TIER: the same program with these names.
other() {
	sample server 30 "$1" /bin/server main /bin/server
	sample server 20 "$2" /bin/server main /bin/server
	sample server 25 "$3" /bin/server main /bin/server
	sample server 15 'over(int)' /bin/server main /bin/server
	sample server 15 "$4" /bin/server main /bin/server
	sample server 9 'JS:'"$5"'render /srv/app.js:10' /tmp/perf-1.map main /bin/server
}
other 'void ns::f<int>(int) [clone .part.0]' 'main::{lambda(int)#1}::operator()(int) const' old_name 'over(long)' '~' >typed.txt
other 'ns::f<int>' 'main::{lambda(int)#2}::operator()(int) const' new_name 'over(char)' '*' >bare.txt
touch -t 202601020304.05 typed.txt bare.txt
run cresset diff typed.txt bare.txt
run cresset diff --explain typed.txt bare.txt
run cresset diff --explain typed.txt typed.txt
