# Flame graphs as SVG: well-formed, a box for each frame, names made harmless.
. "$SRC/tests/golden/ready.sh"
two_threads
before_after
cresset ingest --symfs sym two.data

# Every tag closed in its order, no bare < or &, no bytes XML does not allow.
well_formed() {
	LC_ALL=C tr -d '\t\n\r' <"$1" | LC_ALL=C grep -q '[[:cntrl:]]' && echo "control bytes in $1"
	LC_ALL=C awk '
	{ text = text $0 "\n" }
	END {
		gsub(/<!\[CDATA\[([^]]|\][^]]|\]\][^>])*\]\]>/, "", text)
		gsub(/<!--([^-]|-[^-])*-->/, "", text)
		gsub(/<\?[^?]*\?>/, "", text)
		gsub(/<![A-Z][^>]*>/, "", text)
		n = split(text, part, "<")
		deep = 0
		if (part[1] ~ /[^ \t\n]/) bad("text before the first tag")
		for (i = 2; i <= n; i++) {
			at = index(part[i], ">")
			if (!at) { bad("no > after <" part[i]); continue }
			tag = substr(part[i], 1, at - 1)
			rest = tag " " substr(part[i], at + 1)
			gsub(/&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);/, "", rest)
			if (index(rest, "&")) bad("bare & in " part[i])
			name = tag
			sub(/[ \t\n].*/, "", name)
			sub(/\/$/, "", name)
			if (tag ~ /^\//) {
				if (deep == 0 || open[deep] != substr(name, 2)) bad("</" substr(name, 2) "> closes " open[deep])
				deep--
			} else if (tag !~ /\/$/)
				open[++deep] = name
		}
		if (deep) bad("never closed: " open[deep])
		print wrong ? "NOT well-formed" : "well-formed"
	}
	function bad(what) { if (wrong++ < 3) print what }' "$1"
}
look() {
	well_formed "$1"
	echo "$(grep -o '<g[ >]' "$1" | wc -l) groups, $(grep -o '<rect' "$1" | wc -l) boxes, $(grep -o '<title>' "$1" | wc -l) titles"
}

run cresset export two -o two.svg
look two.svg
grep -o '<title>count_primes[^<]*' two.svg
grep -c '<script' two.svg
run cresset export before.folded -o before.svg
look before.svg
grep -o '<title>[^<]*' before.svg

echo '# what was selected'
run cresset export before.folded --focus lex -o focus.svg
grep -o '<desc[^<]*' focus.svg
grep -o 'quot;input[^,]*, [^,]*' focus.svg
run cresset view before.folded -c 'focus lex; export shown.svg'
grep -o '<desc[^<]*' shown.svg
run cresset export before.folded --minwidth 40% -o wide.svg
grep -o '<desc[^<]*' wide.svg

echo '# in order of time: thread by thread, own cost where it was recorded'
awk 'BEGIN {
	n = split("work read work main work", leaf)
	for (i = 1; i <= n; i++)
		for (tid = 10; tid <= 11; tid++) {
			printf "app 10/%d [000] 5.%d00000: %d cycles:\n", tid, i, 10 * i
			if (leaf[i] != "main")
				printf "\t1000 %s+0x0 (/bin/app)\n", leaf[i]
			print "\t2000 main+0x0 (/bin/app)\n"
		}
}' >clock.script
run cresset export clock.script --tid 11 --order time -o clock.svg
grep -o '<title>[^<]*' clock.svg
grep -o '<rect x="[^"]*%" width="[^"]*"' clock.svg
run cresset export clock.script --order time -o clock.svg
grep -o '<title>app[^<]*' clock.svg
run cresset flamegraph before.folded --order time -o clock.svg

echo '# options'
run cresset export before.folded -o wide.svg --width 3000 --title 'a < b & c'
look wide.svg
grep -o 'a &lt; b &amp; c' wide.svg | head -n 1
grep -o '<svg [^>]*width="[0-9]*"' wide.svg | grep -o 'width="[0-9]*"'
run cresset export before.folded -o icicle.svg --icicle
look icicle.svg
cmp -s before.svg icicle.svg || echo 'another picture'
for palette in kind dso hot mem io java js perl python rust wakeup chain hash; do
	run cresset export two -o $palette.svg --palette $palette
	look $palette.svg
done

echo '# of a part, of nothing, of a difference'
run cresset export two -o part.svg --comm child
look part.svg
run cresset export two -o none.svg --comm nobody
[ -e none.svg ] && echo 'none.svg was written'
run cresset diff before.folded after.folded -o diff.svg
look diff.svg
grep -o '<title>[^<]*' diff.svg

echo '# twice the same bytes'
cresset export two -f svg | cmp two.svg - && echo same

echo '# names that would be markup'
printf '<script>alert(1)</script>;a&b;]]>;"x" '"'y'"';\033[31m\001\377;--> 3\n' >evil.folded
run cresset export evil.folded -o evil.svg --title ']]><script>alert(2)</script>'
look evil.svg
grep -o '<title>[^<]*' evil.svg
grep -c 'alert([12])</script>' evil.svg

echo done
