# Which differences are changes: recordings of a program whose functions have given shares.
#
# make NAME SEED SHARES: 4000 samples in time order. Each function of a list "name:per-mille" gets its
# share, moved by a few samples that depend on the seed.
make() {
	awk -v seed="$2" -v list="$3" 'BEGIN {
		n = split(list, item, " ")
		left = 4000
		for (i = 1; i <= n; i++) {
			split(item[i], part, ":")
			name[i] = part[1]
			count[i] = part[2] * 4
			if (count[i] > 40)
				count[i] += (seed * 7919 + i * 104729) % 13 - 6
			left -= count[i]
		}
		name[++n] = "rest"
		count[n] = left
		# Spread over the whole time: the function that is most behind its share comes next.
		for (t = 0; t < 4000; t++) {
			best = 1
			for (i = 1; i <= n; i++)
				if (count[i] * (t + 1) / 4000 - given[i] > count[best] * (t + 1) / 4000 - given[best])
					best = i
			given[best]++
			printf "app 7/7 %d.%06d: 250000 cpu-clock:\n\t%x %s (/bin/app)\n\t1000 main (/bin/app)\n\n",
				t / 1000, t % 1000 * 1000, 4096 + best * 16, name[best]
		}
	}' >"$1"
}
before='parse:300 lex:150 draw:120 hash:80 sort:60 copy:50 emit:40 load:30 save:20 old:12 small:1 handle_softirqs:30'
after='parse:300 lex:150 draw:240 hash:80 sort:60 copy:50 emit:40 load:30 save:20 fresh:12 small:2 handle_softirqs:1'
for i in 1 2 3; do
	make a$i $i "$before"
	make b$i $((i + 3)) "$after"
done

echo '# one recording a side'
run cresset diff a1 b1
run cresset diff a1 a2
run cresset diff a1 a1 --all --limit 3
run cresset diff a1 b1 --total --limit 4

echo '# three a side'
run cresset diff --limit 6 a1 a2 a3 -- b1 b2 b3
run cresset diff a1 a2 a3 -- a3 a2 a1
run cresset diff --limit 3 a1 -- b1 b2 b3
cresset merge -o before a1 a2 a3 >/dev/null
cresset merge -o after b1 b2 b3 >/dev/null
cresset diff --csv a1 a2 a3 -- b1 b2 b3 >apart.csv
cresset diff --csv before after >merged.csv
cmp apart.csv merged.csv && echo 'merged profiles give the same'

echo '# recordings of different lengths: the shares are those of the sums'
for i in 1 2 3; do
	head -n $((i * 4000)) a$i >short-a$i
	head -n $((i * 4000)) b$i >short-b$i
done
cresset diff --csv short-a? -- short-b? | awk -F, '$1 ~ /draw/ { printf "%.4f %.4f\n", $3, $4 }'
for side in a b; do
	cat short-$side? | awk '/ draw / { n++ } / cpu-clock:/ { all++ } END { printf "%.4f\n", n / all }'
done

echo '# for programs'
run cresset diff --csv --limit 2 a1 a2 a3 -- b1 b2 b3
run cresset diff --json --limit 1 a1 a2 a3 -- b1 b2 b3
run cresset diff --markdown --limit 3 a1 a2 a3 -- b1 b2 b3

echo '# other amounts than shares'
run cresset diff --norm time --limit 4 a1 a2 a3 -- b1 b2 b3
run cresset diff --norm parse --limit 2 a1 a2 a3 -- b1 b2 b3
run cresset diff --norm second --csv --limit 2 a1 b1
run cresset diff --norm none --total --limit 1 a1 b1
run cresset diff --norm nothing a1 b1

echo '# parts of one profile'
run cresset diff a1 --a-time 0..2s --b-time 2s.. --limit 3
run cresset diff --a-comm app --b-comm other a1

echo '# turned round: the same functions are called'
cresset diff --csv b1 b2 b3 -- a1 a2 a3 | grep -c ',changed$\|,new$\|,gone$'
cresset diff --csv a1 a2 a3 -- b1 b2 b3 | grep -c ',changed$\|,new$\|,gone$'

echo '# what is wrong with a command line'
run cresset diff a1 a2 b1 b2
run cresset diff --noise 0 a1 b1
run cresset diff --fail-over =1% a1 b1
run cresset diff --min-runs 3 a1 a2 -- b1 b2
