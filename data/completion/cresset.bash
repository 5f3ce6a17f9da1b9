# Completion of cresset for bash. The program itself knows what can follow: cresset completion -- WORD...

_cresset() {
	local line=${COMP_LINE:0:COMP_POINT} last lines candidate mode= IFS=$' \t\n'
	local -a words=() full=()

	# The words as typed: bash also splits them at = and :.
	eval "set -- ${line//[\$\`();&|<>]/\\&}" 2>/dev/null || set -- $line
	shift
	words=("$@")
	[[ $line == *[[:space:]] || ${#words[@]} -eq 0 ]] && words+=("")
	last=${words[${#words[@]}-1]}

	COMPREPLY=()
	while IFS= read -r candidate; do
		case $candidate in
		:*) mode=$candidate ;;
		*) full+=("${candidate%%$'\t'*}") ;;
		esac
	done < <("${COMP_WORDS[0]}" completion -- "${words[@]}" 2>/dev/null)

	# What bash takes for an earlier word is not part of a reply.
	local before=${last%"${COMP_WORDS[COMP_CWORD]}"} cut=
	[[ ${COMP_WORDS[COMP_CWORD]} == [=:] ]] && before=$last
	[[ $before != "$last" || ${COMP_WORDS[COMP_CWORD]} == [=:] ]] && cut=$before
	for candidate in "${full[@]}"; do
		candidate=${candidate#"$cut"}
		[[ $candidate == --* ]] || printf -v candidate %q "$candidate"
		COMPREPLY+=("$candidate")
	done
	case $mode in
	:files) compopt -o filenames 2>/dev/null
		while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done \
			< <(compgen -f -- "${last#"$cut"}") ;;
	:directories) compopt -o filenames 2>/dev/null
		while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done \
			< <(compgen -d -- "${last#"$cut"}") ;;
	esac
}
complete -F _cresset cresset
