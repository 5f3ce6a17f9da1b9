# The recipe of docs/fleets.md for hosts that differ: its own example, and 300 hosts, of which 15 spend 8 % in a function
# instead of 5 %.
sed -n '/^<!-- file: hosts.awk -->$/,/^```$/p' "$SRC/docs/fleets.md" | sed '1,2d;$d' >hosts.awk
awk '$0 == "<!-- run: differ -->" { found = 1; next } found && /^```/ { if (inside) exit; inside = 1; next } inside' \
	"$SRC/docs/fleets.md" >differ.sh
awk -f "$SRC/tests/tools/make-fleet.awk"
cresset merge -q --fold --by comm,host recordings/*.script -o fleet >/dev/null
sh differ.sh
cresset merge -q --fold --by comm,host recordings/web?[1-9].script -o fleet --replace >/dev/null
sh differ.sh
sed 's/host,sym/source,sym/g' differ.sh >sources.sh
hosts() {
	# The numbers are the same with every awk.
	awk -v bad="$1" 'function chance() { return (x = x * 16807 % 2147483647) / 2147483647 }
	BEGIN {
		x = 5
		for (h = 0; h < 300; h++) {
			file = sprintf("web%03d", h)
			for (f = 0; f < 20; f++) {
				mean = f ? 190 : h < bad ? 320 : 200
				sum = -6
				for (i = 0; i < 12; i++) sum += chance()
				printf "server;main;f%02d %d\n", f, mean + sum * sqrt(mean) >file
			}
			close(file)
		}
	}'
	cresset merge -q --fold --by source --unit samples -o fleet --replace web*
	sh sources.sh >out
}
echo '# none changed'
hosts 0
cat out
echo '# fifteen changed'
hosts 15
sed 's/usually.*hosts differ/differs/; s/ +.*//' out | grep -v '^    web0[01][0-9]'
[ "$(grep -c '^    web00[0-9]\|^    web01[0-4]' out)" -ge 14 ] && echo 'nearly all are named'
