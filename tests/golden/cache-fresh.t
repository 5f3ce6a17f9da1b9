# --fresh reads the file again, and from then on that is its copy in the cache: one, not two.
. "$SRC/tests/golden/ready.sh"
two_threads

echo '# first without the program, so without its names'
mv sym/srv sym/away
brief report --symfs sym two.data
grep -c count_primes .brief.out
mv sym/away sym/srv
brief report --symfs sym two.data
grep -c count_primes .brief.out
brief report --symfs sym --fresh two.data
grep -c count_primes .brief.out
brief report --symfs sym two.data
grep -c count_primes .brief.out
cached
