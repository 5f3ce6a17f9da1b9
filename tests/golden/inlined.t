# Functions that were inlined, source lines, and a stack that was cut, in everything that shows a profile.
cp "$FIX/good-inlined.cresset" with.cresset
folded() { cresset export "$@" -f folded; }

echo "# a function is one row, marked where it is nowhere called"
run cresset report ./with.cresset
echo
echo "# lines"
run cresset report ./with.cresset --sort line
run cresset report ./with.cresset -s srcline --order name --limit 2
run cresset report ./with.cresset -s srcline --comm nobody || :
echo
echo "# frames: inlined ones called and not are two, in a comm, under [truncated]"
run folded ./with.cresset
run cresset export ./with.cresset -f script --time 0.049..0.051
run cresset export ./with.cresset -f script --time 0.0985.. --srcline
run cresset export ./with.cresset -f script --time 0.0985.. --srcline --full-source-path
cresset export ./with.cresset -f svg | grep -A 1 '<title>std::' | grep -o '<title>.*\|^self.*</title>' | sort
run cresset view ./with.cresset -c 'select std::swap<int>(int&, int&); print selected; view functions; print selected'
echo
echo "# without them: of the stored profile as of one that was read so"
run cresset report ./with.cresset --no-inline
run folded ./with.cresset --no-inline
run cresset export ./with.cresset -f script --no-inline --time 0.0985..
run cresset view ./with.cresset --no-inline -c 'select order(int*, int*); print selected'
for filter in "" "--time 0.." "--comm sorter"; do
	# shellcheck disable=SC2086
	folded ./with.cresset --no-inline $filter >"got$(printf %s "$filter" | tr -dc a-z)"
done
cmp got gottime && cmp got gotcommsorter && echo "the same with the samples read"
run cresset diff --all ./with.cresset ./with.cresset --limit 2
echo
echo "# what is known of it"
cresset info ./with.cresset | grep '^source lines\|^dso\|^missing'
run cresset doctor ./with.cresset
echo
echo "# where it makes no sense"
run cresset export ./with.cresset -f svg --srcline
run cresset diff ./with.cresset ./with.cresset -s line
printf 'a;b 3\n' >text.folded
run cresset report text.folded -s line
run cresset info text.folded | grep -c '^source lines'
echo
echo "# each way to read a recording has its copy"
. "$SRC/tests/golden/ready.sh"
two_threads
for options in "" --no-inline --no-stitch "--no-inline --no-stitch" --no-inline; do
	# shellcheck disable=SC2086
	cresset report two.data --symfs sym $options >/dev/null
done
cached | grep -c ' two.data$'
