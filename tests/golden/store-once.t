# A file is read once: the second time its stored copy opens, as long as file and options are the same.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after

brief report --symfs sym two.data
list
cp .brief.out first
brief report --symfs sym two.data
cmp first .brief.out
list

echo '# other options: another reading'
brief report --symfs sym --no-demangle two.data
mkdir nothing
brief report --symfs nothing two.data
list
brief report --symfs sym two.data
cmp first .brief.out

echo '# the file changes: so does what is shown'
brief report before.folded
cp .brief.out first
cat after.folded >before.folded
brief report before.folded
cmp -s first .brief.out && echo 'this is the old one'
brief report after.folded
tail -n +2 .brief.out >two
brief report before.folded
tail -n +2 .brief.out | cmp two - && echo same

echo '# a copy that is damaged is not used'
rm -rf .store
brief report before.folded
cp .brief.out first
printf x | dd of=.store/before.cresset bs=1 seek=100 conv=notrunc 2>/dev/null
brief report before.folded
cmp first .brief.out

echo '# without a store to write to, it is shown all the same'
rm -rf .store
echo >.store
brief report before.folded
brief ls
rm -f .store

echo '# pipes are read, not kept'
run cresset report - <before.folded
cat before.folded | cresset report - >two && cmp first two
cat before.folded | cresset report /dev/stdin >two && cmp first two
mkfifo pipe
cat before.folded >pipe &
cresset report pipe >two && cmp first two
wait
find . -name '*.cresset'
