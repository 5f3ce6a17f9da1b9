# Shell functions for tests that open exports in other people's programs. Sourced by cases.

# The npm packages are in the directory that CRESSET_NPM names.
needs_package() {
	needs node
	[ -d "${CRESSET_NPM:-missing}/node_modules/$1" ] || skip "CRESSET_NPM names no directory with the npm package $1"
}

# Set browser to the program of Chromium.
needs_chromium() {
	needs node
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip 'chromium is not installed'
}

view() { node "$SRC/tests/e2e/viewers.js" "$@"; }

# each_view FUNCTION: calls FUNCTION INPUT QUERY... for three inputs with three queries. The inputs have one thread and no
# unit, so that viewers show whole numbers.
each_view() {
	printf 'vertx;run;parse 30\nvertx;run;write;flush 50\nvertx;run;write;run 20\nvertx;[]char;(a, b) 7\nvertx;<b>&amp;"x";\303\251 3\n' >vertx.folded
	cresset export "$SRC/data/demo.cresset" --group none -o demo.folded || exit 1
	cresset export "$FIX/good-inlined.cresset" --group none -o inlined.folded || exit 1
	for input in vertx.folded demo.folded inlined.folded; do
		while read -r query; do
			"$1" $input $query || { echo "$input $query"; exit 1; }
		done <<-'QUERIES'
			--focus .
			--hide main|run|exec
			--recursion direct --prune sort|write|Moveto
		QUERIES
	done
}

# table_of: "TOTAL SELF NAME" lines as the table of report --csv.
table_of() {
	awk '
	BEGIN { print "event,children,self,sym,level,inlined,total,samples,self,samples" }
	{ total = $1; self = $2; sub(/^[^ ]* [^ ]* /, ""); gsub(/"/, "\"\"")
		print "-,0,0,\"" $0 "\",.,-," total ",0," self ",0" }'
}
