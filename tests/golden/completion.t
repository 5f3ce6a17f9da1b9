# What may follow on a command line, as the scripts of the shells are told: from the tables and from the store.
cp "$SRC/data/demo.cresset" before.cresset
cresset import before.cresset
# words WORD...: the candidates without their meanings
words() {
	echo "$ cresset $*"
	cresset completion -- "$@" | cut -f 1
}
echo '# commands, stored profiles, files'
words re
words be
run cresset completion -- --store x ing
echo '# options of a command, also of the format'
words report --so
words export --wid
words ls --
echo '# words of a table'
words export -f s
words export --format=sp
words report --sort comm,d
words report --granularity ''
words diff --order d
words export --palette p
words ls -s d
words report --input-format pprof
words cache ''
words completion ''
words help do
echo '# events, threads, dsos, functions of a stored profile'
words report before -e ''
words report before --comm z
words report before --dso lib
words annotate before ZSTD_RowFindBestMatch
echo '# files and directories'
words report --symfs ''
words ingest x
words report before x
echo '# nothing'
words report --limit ''
words rm -- --x
words version ''
words report no-profile -e ''
echo '# every option and command can be completed'
for command in $(cresset completion -- '' | grep -v '^before	' | sed -n 's/	.*//p'); do
	cresset help "$command" | sed -n 's/^      \(--[a-z-]*\).*/\1/p; s/^  -., \(--[a-z-]*\).*/\1/p' | sort -u >helped
	cresset completion -- "$command" - | cut -f 1 | sort -u >given
	comm -23 helped given
done
echo '# the scripts'
for shell in bash zsh fish; do
	cresset completion $shell | grep -c 'completion --'
done
cresset completion bash | cmp - "$SRC/data/completion/cresset.bash"
run cresset completion tcsh
