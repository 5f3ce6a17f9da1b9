# One page of Markdown as HTML, as far as the pages of this tree use it: headings, paragraphs, lists, tables, code, links,
# pictures, emphasis.
#
#   awk -v home=PREFIX -v prefix=PREFIX -f markdown.awk page.md
#
# home leads from the page to the top of the site, prefix is put in front of relative links. A link to a page of Markdown
# leads to its HTML, one to a page of the manual to man/NAME.SECTION.html.

function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); gsub(/"/, "\\&quot;", s); return s }

# The name of a heading in links, as GitHub makes it.
function anchor(s,   n) {
	s = tolower(s)
	gsub(/\]\([^)]*\)/, "", s)
	gsub(/[^a-z0-9 _-]/, "", s)
	gsub(/ /, "-", s)
	n = anchors[s]++
	return n ? s "-" n : s
}

function target(url,   place) {
	if (url ~ /^[a-z]+:/ || url ~ /^#/) return url
	place = ""
	if (match(url, /#.*/)) { place = substr(url, RSTART); url = substr(url, 1, RSTART - 1) }
	if (url ~ /\.md$/) return prefix substr(url, 1, length(url) - 3) ".html" place
	if (url ~ /^[a-z-]+\.[157]$/) return home "man/" url ".html" place
	return prefix url place
}

# Text with marks in it. What is finished is taken from the front, so that no mark is read twice.
function inline(s,   out, c, n, ticks, end, text, url) {
	out = ""
	while (s != "") {
		if (!match(s, /[`*\[!\\<&>"]/)) return out s
		out = out substr(s, 1, RSTART - 1)
		s = substr(s, RSTART)
		c = substr(s, 1, 1)
		if (c == "`") {
			match(s, /^`+/)
			ticks = substr(s, 1, RLENGTH)
			n = RLENGTH
			if ((end = index(substr(s, n + 1), ticks)) > 0) {
				text = substr(s, n + 1, end - 1)
				if (n > 1) gsub(/^ | $/, "", text)
				out = out "<code>" escape(text) "</code>"
				s = substr(s, 2 * n + end)
				continue
			}
		} else if (c == "\\" && s ~ /^\\[\\`*_{}\[\]()#+.!|<>-]/) {
			out = out escape(substr(s, 2, 1))
			s = substr(s, 3)
			continue
		} else if (s ~ /^\*\*[^* ]/ && (end = index(substr(s, 3), "**")) > 0) {
			out = out "<strong>" inline(substr(s, 3, end - 1)) "</strong>"
			s = substr(s, end + 4)
			continue
		} else if (s ~ /^\*[^* ]/ && (end = index(substr(s, 2), "*")) > 0) {
			out = out "<em>" inline(substr(s, 2, end - 1)) "</em>"
			s = substr(s, end + 2)
			continue
		} else if (match(s, /^!?\[[^\]]*\]\([^)]*\)/)) {
			n = RLENGTH
			end = index(s, "](")
			text = substr(s, 1, end - 1)
			url = substr(s, end + 2, n - end - 2)
			if (c == "!") out = out "<img src=\"" escape(target(url)) "\" alt=\"" escape(substr(text, 3)) "\">"
			else out = out "<a href=\"" escape(target(url)) "\">" inline(substr(text, 2)) "</a>"
			s = substr(s, n + 1)
			continue
		} else if (match(s, /^<https?:[^>]*>/)) {
			url = escape(substr(s, 2, RLENGTH - 2))
			out = out "<a href=\"" url "\">" url "</a>"
			s = substr(s, RLENGTH + 1)
			continue
		}
		out = out escape(c)
		s = substr(s, 2)
	}
	return out
}

# ---- blocks

function end_paragraph() {
	if (paragraph == "") return
	print open_item ? inline(paragraph) : "<p>" inline(paragraph) "</p>"
	paragraph = ""
	open_item = 0
}

function end_code() { if (in_code) print "</code></pre>"; in_code = 0; blanks = "" }
function end_table() { if (in_table) print "</tbody></table></div>"; in_table = 0 }

function end_lists(depth) {
	end_paragraph()
	while (lists > depth) print "</li></" list_kind[lists--] ">"
}

function end_all() { end_paragraph(); end_code(); end_table(); end_lists(0) }

# Cells of a row of a table; a bar after a backslash or inside of code is text.
function split_row(row,   i, c, n, text, code) {
	sub(/^ *\|/, "", row)
	sub(/\| *$/, "", row)
	n = 0
	text = ""
	for (i = 1; i <= length(row); i++) {
		c = substr(row, i, 1)
		if (c == "\\" && substr(row, i + 1, 1) == "|") { text = text "|"; i++; continue }
		if (c == "`") code = !code
		if (c == "|" && !code) { cell[++n] = text; text = ""; continue }
		text = text c
	}
	cell[++n] = text
	for (i = 1; i <= n; i++) gsub(/^ +| +$/, "", cell[i])
	return n
}

function put_row(row, tag,   i, n) {
	n = split_row(row)
	printf "<tr>"
	for (i = 1; i <= n; i++) printf "<%s%s>%s</%s>", tag, right[i] ? " class=\"n\"" : "", inline(cell[i]), tag
	print "</tr>"
}

function begin_table(head, rule,   i, n) {
	n = split_row(rule)
	for (i = 1; i <= n; i++) right[i] = cell[i] ~ /:$/
	end_paragraph()
	print "<div class=\"wide\"><table><thead>"
	put_row(head, "th")
	print "</thead><tbody>"
	in_table = 1
}

fence {
	if ($0 ~ /^ *```/) { print "</code></pre>"; fence = 0 }
	else print escape(substr($0, fence))
	next
}
/^ *```/ {
	end_paragraph(); end_code(); end_table()
	if ($0 !~ /^ /) end_lists(0)
	match($0, /^ */)
	fence = RLENGTH + 1
	printf "<pre><code>"
	next
}

# Code that is set off by four blanks.
/^    / && paragraph == "" && lists == 0 {
	end_table()
	if (!in_code) { printf "<pre><code>"; in_code = 1; blanks = "" }
	print blanks escape(substr($0, 5))
	blanks = ""
	next
}
/^ *$/ {
	if (in_code) { blanks = blanks "\n"; next }
	end_table()
	if (held != "") { paragraph = held; held = "" }
	end_paragraph()
	after_blank = 1
	next
}
{ end_code() }

/^#+ / {
	end_all()
	match($0, /^#+/)
	level = RLENGTH
	text = substr($0, level + 2)
	id = anchor(text)
	print "<h" level " id=\"" id "\"><a class=\"here\" href=\"#" id "\">" inline(text) "</a></h" level ">"
	after_blank = 0
	next
}
/^---+$/ && paragraph == "" { end_all(); print "<hr>"; next }

in_table && /^\|/ { put_row($0, "td"); next }
/^\|[ :|-]+$/ && table_head != "" { begin_table(table_head, $0); table_head = ""; next }
/^\|/ { end_paragraph(); end_lists(0); table_head = $0; next }

/^ *([-*+]|[0-9]+\.) / {
	match($0, /^ */)
	indent = RLENGTH
	depth = 1
	while (depth <= lists && list_indent[depth] < indent) depth++
	end_lists(depth)
	text = substr($0, indent + 1)
	kind = text ~ /^[0-9]/ ? "ol" : "ul"
	sub(/^([-*+]|[0-9]+\.) +/, "", text)
	if (lists < depth) {
		first = $1 + 0
		if (kind == "ol" && first > 1) print "<ol start=\"" first "\">"
		else print "<" kind ">"
		list_kind[++lists] = kind
		list_indent[lists] = indent
	} else print "</li>"
	printf "<li>"
	open_item = 1
	paragraph = text
	after_blank = 0
	next
}

# A line that is not indented ends a list, if a blank line is before it.
{
	if (lists && after_blank && $0 !~ /^ /) end_lists(0)
	after_blank = 0
	sub(/^ +/, "")
	sub(/ +$/, "")
	paragraph = paragraph == "" ? $0 : paragraph "\n" $0
}

END { end_all() }
