# Called by the name of a program that it replaces, cresset does what that one does.
link() { ln -s "$CRESSET" "./$1"; }
printf 'main;read_[k] 30\nmain;parse;parse 12\n' >x.folded
cat >x.perf <<'PERF'
prog 10/11 [000] 1.000000: 5 cycles:u: 
	    4005d0 leaf+0x10 (/bin/prog)
	    400600 main+0x20 (/bin/prog)

PERF
for name in flamegraph.pl inferno-flamegraph; do
	link $name
	./$name --title 'A title' x.folded >out.svg && grep -c '<title>read (30 samples, 71.43%)' out.svg
	./$name --title 'A title' <x.folded | cmp - out.svg
done
echo '# a width without a unit: pixels for one, percent for the other'
for name in flamegraph.pl inferno-flamegraph; do
	./$name --minwidth 50 x.folded | grep -c '<title>parse'
done
for name in stackcollapse-perf.pl inferno-collapse-perf inferno-collapse-guess; do
	link $name
	run ./$name x.perf
done
run ./stackcollapse-perf.pl --tid <x.perf
run ./inferno-collapse-perf -q -n 2 --pid x.perf
for name in stackcollapse-recursive.pl inferno-collapse-recursive; do
	link $name
	run ./$name x.folded
done
for name in difffolded.pl inferno-diff-folded; do
	link $name
	run ./$name -n x.folded x.folded
done
link stackcollapse-stap.pl
printf ' 0x1 : leaf+0x1/0x2 [prog]\n 0x2 : main+0x1/0x2 [prog]\n\t7\n' | run ./stackcollapse-stap.pl
./flamegraph.pl --help | head -2
./stackcollapse-perf.pl -h | head -2
run ./flamegraph.pl --colours mauve x.folded

echo '# each name has a subcommand and a format that exist'
sed -n 's/^PEER("\([^"]*\)".*/\1/p' "$SRC/src/cmd/peers.def" | while read -r name; do
	[ -L "$name" ] || link "$name"
	./"$name" missing missing 2>&1 | grep -v '^cresset: missing: ' | sed "s/^/$name: /"
done

echo '# installed'
sed -n 's/^PEER("\([^"]*\)".*/\1/p' "$SRC/src/cmd/peers.def" >names
[ "$(LC_ALL=C sort -u names | wc -l)" -eq "$(wc -l <names)" ] && grep -c . names
