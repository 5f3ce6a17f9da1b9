# tidy: the stacks of five languages without their runtime. The total stays, in every order of steps; what is not of the
# language stays as it is.
cp "$FIX/languages.folded" x.folded
total() { awk '{ n += $NF } END { print n + 0 }'; }
all=$(total <x.folded)

for language in python rust-async go java node; do
	echo "# $language"
	cresset export x.folded -f folded --tidy $language >got
	LC_ALL=C sort x.folded >there
	LC_ALL=C sort got | LC_ALL=C comm -13 there -
	# A second time it changes nothing.
	cresset export got -f folded --tidy $language | cmp - got
	for steps in "--invert --tidy $language" "--tidy $language --invert" "--tidy $language --recursion all" \
		"--granularity dso --tidy $language" "--tidy $language --tidy go"; do
		[ "$(cresset export x.folded -f folded $steps | total)" -eq "$all" ] || echo "$steps: another total"
	done
	cresset export x.folded -f folded --tidy $language --invert --invert | cmp - got
	cresset export x.folded -f folded --invert --tidy $language --invert | cmp - got
done

echo '# in a difference, on both sides'
sed 's/Lambda.14/Lambda$77/; s/0x00000008000c0a00/0x0000000900000000/' x.folded >y.folded
run cresset diff x.folded y.folded --report --focus =java --limit 3 | grep -v '^#'
run cresset diff x.folded y.folded --report --focus =java --tidy java --limit 3 | grep -v '^#'

echo '# a step of the browser, with undo'
run cresset view x.folded -c 'tidy node; filters; undo; filters; tidy go; tidy java; filters; pop; filters'
run cresset view x.folded -c 'tidy'
run cresset view x.folded -c 'tidy perl'
run cresset report x.folded --tidy perl
run cresset view x.folded -c 'tidy go; tidy go'
echo 'a;$Proxy1.f 1' >one.folded
run cresset view one.folded -c 'tidy java'

echo '# a step that looks for names, and selects samples, does not come after it'
run cresset series "$SRC/data/demo.cresset" --tidy go --focus main --bins 1
cresset series "$SRC/data/demo.cresset" --focus main --tidy go --bins 1 | grep -c .

echo '# hostile names'
awk 'BEGIN {
	s = "{{closure}}"; for (i = 0; i < 2000; i++) s = s "::{{closure}}"; print "a;" s " 1"
	s = "main.F"; for (i = 0; i < 2000; i++) s = s "[go.shape."; print "a;" s " 1"
	s = "x"; for (i = 0; i < 2000; i++) s = s "$$Lambda$/0x"; print "a;" s " 1"
	print "a;JS:*;JS:;LazyCompile:~ ;py::;<;<&mut ;runtime.call;$$Lambda;$Proxy;::h0123456789abcdef;::{;{{closure}} 1"
}' >hostile.folded
for language in python rust-async go java node; do
	cresset export hostile.folded -f folded --tidy $language | awk '{ n += $NF } END { print n, NR }'
done
