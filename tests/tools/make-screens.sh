#!/bin/sh
# Screenshots of every view for the documentation: docs/screens/NAME.txt and NAME.svg, from the keys in NAME.keys, which
# are played on the terminal in memory with the bundled profile.
#
#   make screenshots          writes them
#   make check-screenshots    compares the texts with those that would be written
#
# SCREEN_TOOL is tests/screen/screen_tool of the build.
set -u
: "${SRC:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${SCREEN_TOOL:=tests/screen/screen_tool}"
check=
[ "${1:-}" = --check ] && check=yes
new=$(mktemp -d "${TMPDIR:-/tmp}/cresset-screens.XXXXXX") || exit 2
trap 'rm -rf "$new"' EXIT
stale=0

for keys in "$SRC"/docs/screens/*.keys; do
	name=$(basename "$keys" .keys)
	"$SCREEN_TOOL" "$keys" >"$new/$name.txt" && "$SCREEN_TOOL" --svg "$keys" >"$new/$name.svg" || exit 2
	if [ -n "$check" ]; then
		diff -u "$SRC/docs/screens/$name.txt" "$new/$name.txt" || stale=1
	else
		cp "$new/$name.txt" "$new/$name.svg" "$SRC/docs/screens/" || exit 2
	fi
done
[ $stale -eq 0 ] || echo 'screenshots are out of date; make screenshots writes them' >&2
exit $stale
