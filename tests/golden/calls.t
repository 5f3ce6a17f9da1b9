# Who calls a function, what it calls, and the threads that did.
. "$SRC/tests/golden/ready.sh"
two_threads
cresset ingest --symfs sym two.data

run cresset callers two hash_bytes
run cresset callees two hash_thread
run cresset callees two hash_thread --depth 1
run cresset callees two hash_thread --limit 1 --percent-limit 0
run cresset callers two count_primes --comm child --csv
run cresset callers two count_primes --comm child --json
run cresset callers two count_primes --comm nobody

echo
echo '# a word that is not its whole name'
run cresset callers two rime_w | tail -n 3
run cresset callers two hash
run cresset callers two '/^hash/'
run cresset callers two nothing_like_it
run cresset callers two '/('

echo
run cresset threads two
run cresset threads two --comm child --csv
run cresset threads two --limit 1 --markdown
printf 'a;b 3\n' >x.folded
run cresset threads x.folded
