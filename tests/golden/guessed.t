# Stacks of registers and memory whose program is not here: they end there, and with --guess-callers go on by frame
# pointer; each guess is marked, counted and stored.
mkdir here empty
cp "$FIX/alone-arm64.elf" here/arm64
cp "$FIX/alone-arm64.perf.data" alone.data
touch -t 202601020304.05 alone.data

counts() {
	cresset info "$@" | grep -E '^(missing|field).*(stacks|guessed)'
}

echo '# with the program nothing has to be guessed, asked for or not'
cresset export --symfs here --no-inline -f folded alone.data >known
cresset export --symfs here --no-inline --guess-callers -f folded alone.data | cmp known -
counts --symfs here --guess-callers alone.data
echo '# without it'
for guess in '' --guess-callers; do
	run cresset export --symfs empty $guess -f folded alone.data
	counts --symfs empty $guess alone.data
	cresset doctor --symfs empty $guess alone.data | sed -n '/[0-9] user stacks end/,/^$/p; /guess-callers guessed/,/^$/p'
done
echo '# how many of the outermost frames of a sample are guesses'
run cresset export --symfs empty --guess-callers -f script --fields guessed alone.data
run cresset report --symfs empty --guess-callers --sort guessed alone.data
echo '# a stored profile stays what it is'
cresset ingest --symfs empty --guess-callers -n guessed alone.data >/dev/null
cresset ingest --symfs empty -n ended alone.data >/dev/null
cresset export guessed -f folded
counts guessed
cresset export ended --guess-callers -f folded
counts ended
