# Only what counts the same is compared: the event and the unit of each side are told, unlike ones are refused.
. "$SRC/tests/golden/ready.sh"

# script EVENT WEIGHT...: a sample of each weight, in f and g by turns
script() {
	echo "# event : name = $1, , id = { 1 }, type = 1, { sample_period, sample_freq } = ${HZ:-4000}, freq = 1"
	event=$1 name=f
	shift
	for weight; do
		printf 'a 1 [000] 1.000100: %s %s:\n\tb3ce %s (/lib/x.so)\n\n' "$weight" "$event" $name
		case $name in f) name=g ;; g) name=f ;; esac
	done
}

script cpu-clock 100 100 200 >clock.txt
script cpu-clock:ppp 300 100 >precise.txt
script cycles:u 7 5 >cycles.txt
{ script cycles:u 7 5 6 6; script cpu-clock 100; } >both.txt
HZ=99 script cpu-clock 100 100 >slow.txt
touch -t 202601020304.05 ./*.txt

echo '# precision does not change what is counted'
run cresset diff clock.txt precise.txt

echo '# another event'
run cresset diff clock.txt cycles.txt
run cresset diff clock.txt cycles.txt -f svg
run cresset diff clock.txt cycles.txt --force
echo '# a picture has the same note'
cresset diff clock.txt cycles.txt --force -f svg | grep -o 'cpu-clock [^<]*'

echo '# the event that both have, whichever has more samples'
run cresset diff clock.txt both.txt
run cresset diff both.txt clock.txt
run cresset diff cycles.txt both.txt
run cresset diff both.txt cycles.txt --event cpu-clock
run cresset diff both.txt precise.txt --event cpu-clock

echo '# another unit of the same event'
printf 'a;f 3\n' >s.folded
printf 'a;f 3\n' >t.folded
touch -t 202601020304.05 s.folded t.folded
cresset ingest -n bytes --unit bytes s.folded
cresset ingest -n us --unit us t.folded
cresset ingest -n ns --unit ns t.folded
run cresset diff bytes us
run cresset diff bytes us --force
run cresset diff us ns

echo '# another rate'
run cresset diff clock.txt slow.txt
