# A thread has one name everywhere, that of its last sample; a process that of its main thread.
cp "$FIX/made-fields.perf.data" made.data
load="--symfs empty made.data -e cpu-clock"

run cresset threads $load --csv
run cresset threads $load --csv --comm renamed
for by in tid pid; do
	run cresset series $load --by $by --csv | cut -d, -f2 | uniq
	run cresset report $load -s $by --no-children
	run cresset export $load -f folded --group $by
done
echo '# a comm is what the sample was taken under'
run cresset report $load -s comm --no-children

echo '# in a merge ids of two recordings are two threads, and the name says of which'
for host in web1 web2; do
	cat >$host.script <<SCRIPT
# hostname : $host
# captured on    : Fri Jan  2 03:04:05 2026
first  77/78  [001]     1.000000000:    1000000 cpu-clock: 
	    1000 work+0x10 (/bin/srv)

on_$host  77/78  [001]     1.500000000:    3000000 cpu-clock: 
	    1000 work+0x10 (/bin/srv)

SCRIPT
	cresset ingest $host.script >/dev/null
done
cresset merge web1 web2 -o both
run cresset threads both --csv
run cresset series both --by tid --csv | cut -d, -f2 | uniq
run cresset report both -s tid --no-children
run cresset report both -s pid,sym --no-children
