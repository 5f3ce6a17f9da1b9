# For library.e2e and library-python.e2e: install what was built below ./installed, as a packager does, and let compiler,
# pkg-config and the dynamic linker find it there.
build=$(dirname "$CRESSET") here=$PWD
[ -n "$(ls "$build"/libcresset.so.* 2>/dev/null)" ] ||
	skip 'libcresset.so is not built: --disable-shared, or a build with sanitizers or libFuzzer'
make -s -C "$build" install DESTDIR="$here/installed" >install.log 2>&1 || {
	cat install.log
	exit 1
}
pc=$(find installed -name cresset.pc)
so=$(find installed -name libcresset.so)
export LD_LIBRARY_PATH="$here/${so%/*}"
export PKG_CONFIG_PATH="$here/${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$here/installed"
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
ln -s "$SRC/data" data
ln -s "$SRC/examples" examples

# page: write the programs of docs/library.md to files, and the commands with what they print to "commands"
page() {
	awk '
/^<!-- file: .* -->$/ { file = $3; next }
/^```/ && !inside { inside = 1; out = file; file = ""; if (out == "") { print "a program without a name"; bad = 1 }; next }
/^```/ { inside = 0; next }
inside { print >out; next }
/^    / { print substr($0, 5) >"commands" }
END { exit bad }' "$SRC/docs/library.md" || exit 1
}

# run_page PATTERN: run the commands that match, which print what stands below them in the page
run_page() {
	ran=0 command=
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'$ '*)
			run_command "$1"
			command=${line#??}
			: >said
			;;
		*) printf '%s\n' "$line" >>said ;;
		esac
	done <commands
	run_command "$1"
	echo "$ran commands"
}

run_command() {
	printf '%s\n' "$command" | grep -qE "$1" || return 0
	# pkg-config escapes blanks in paths, which only eval understands.
	case $command in
	'cc '*) eval "$CC -std=c99 -Wall -Wextra -Werror $(printf '%s' "${command#cc }" | sed 's/\$(.*//') $(pkg-config --cflags --libs cresset)" >got 2>&1 ;;
	*) sh -c "$command" >got 2>&1 ;;
	esac
	code=$?
	case $code$command in 0* | 1./changed*) ;; *) bad=1 ;; esac
	diff -u said got || bad=1
	[ -z "$bad" ] || { echo "FAILED ($code): $command"; exit 1; }
	ran=$((ran + 1))
}
bad=
