# Are two tables the same? awk -F '|' -f report.awk -v name=CASE -v keys=a,b -v limit=0.1 side=1 PERF side=2 OURS
#
# Both have the columns [children] period samples KEYS, sections with "# Samples: N of event 'X'" above them. Rows
# are matched by their keys; where several have the same, by what they cost. Prints a line a table, then rows that differ.

BEGIN {
	n_keys = split(keys, key, ",")
	for (i = 1; i <= n_keys; i++) {
		if (key[i] == "sym")
			sym = i
		if (key[i] == "pid")
			pid = i
		if (key[i] == "srcline")
			lines = i
	}
}

/^# Samples: / {
	section = $0
	sub(/^[^']*'/, "", section)
	sub(/'.*$/, "", section)
	# A group's events are one table in perf: none of ours.
	grouped[section] = section ~ /[{]/
	sections[section] = 1
	seen[side, section]++
	next
}

/^#/ || /^$/ || section == "" { next }

NF < n_keys + 2 { next }

{
	children = ""
	first = NF - n_keys + 1
	if (first == 4)
		children = number($1)
	# Of a recording that is a pipe perf has no totals: they are all nothing.
	if (children)
		has_children[side, section] = 1
	self = number($(first - 2))
	rowkey = ""
	for (i = 1; i <= n_keys; i++)
		rowkey = rowkey "|" tidy($(first + i - 1), i)
	whole[side, section] += self
	rows[side, section]++
	id = side SUBSEP section SUBSEP rowkey
	# Rows that are one here: frames without a line, and PLT stubs of a dso.
	if (rowkey ~ /\|(no line|\[.\] @plt)/ && count[id]) {
		self_of[id, 1] += self
		children_of[id, 1] += children
		parts[id]++
		next
	}
	parts[id] = 1
	count[id]++
	self_of[id, count[id]] = self
	children_of[id, count[id]] = children
	known[section SUBSEP rowkey] = 1
}

function number(s) {
	gsub(/[ %]/, "", s)
	return s + 0
}

# A thread's name is what it was called last, which perf goes on looking for after the last sample.
function tidy(s, i) {
	sub(/ +$/, "", s)
	# Of a frame in no mapping perf keeps the level of the sample, and has no 0x before a zero.
	if (i == sym && s ~ /^\[.\] (0x)?[0-9a-f]+$/)
		s = substr(s, 5)
	sub(/^0x/, "", s)
	if (key[i] == "cpu")
		sub(/^-001$/, "-1", s)
	# Where no line is known perf has the function and an offset, the object and an address, or ??:0, according to
	# how its addr2line failed: all of that is one row here.
	if (key[i] == "srcline" && s !~ /:[1-9][0-9]*$/)
		s = "no line"
	if (i == pid) {
		gsub(/ /, "", s)
		sub(/:.*$/, "", s)
	}
	if (i == sym)
		sub(/^ +/, "", s)
	# perf 6.1 does not know what a PLT stub leads to: it has another one's name, none, or the symbol before the table (D4).
	if (i == sym && s ~ /(@plt|\] _init)$/)
		s = substr(s, 1, 4) "@plt"
	# perf cuts names of threads at the longest one that any thread had last.
	if (key[i] == "comm" && side == 1 && length(s) > wide[section])
		wide[section] = length(s)
	if (key[i] == "comm" && side == 2 && length(s) > wide[section])
		s = substr(s, 1, wide[section])
	return s
}

# Rows of one key, heaviest first.
function order(id,    i, j, s, c) {
	for (i = 2; i <= count[id]; i++)
		for (j = i; j > 1 && (self_of[id, j] > self_of[id, j - 1] || (self_of[id, j] == self_of[id, j - 1] && children_of[id, j] > children_of[id, j - 1])); j--) {
			s = self_of[id, j]; self_of[id, j] = self_of[id, j - 1]; self_of[id, j - 1] = s
			c = children_of[id, j]; children_of[id, j] = children_of[id, j - 1]; children_of[id, j - 1] = c
		}
}

function share(self, side, section) {
	return whole[side, section] ? 100 * self / whole[side, section] : 0
}

function near(a, b, slack) {
	return a - b < slack && b - a < slack
}

function big(self, children, side, section) {
	return share(self, side, section) >= limit || children + 0 >= limit
}

# A frame without a name is a row by its address. perf 6.1 has the address in the object for where the sample was
# taken, and the absolute one for callers, so that one place is two rows, and as many as there are processes.
function nameless(k,    part, field, n) {
	if (!sym)
		return 0
	n = split(k, part, SUBSEP)
	split(substr(part[2], 2), field, "|")
	return field[sym] ~ /^[0-9a-f]+$/
}

# In a table by functions alone perf's order of rows is none, for nameless ones are told apart by their address
# before they are by their object: it may not find a row again, and makes another.
function add_up(id,    i) {
	for (i = 2; i <= count[id]; i++) {
		self_of[id, 1] += self_of[id, i]
		children_of[id, 1] += children_of[id, i]
	}
	count[id] = 1
}

function compare(k, section,    a, b, i, slack, calls) {
	a = 1 SUBSEP k
	b = 2 SUBSEP k
	order(a)
	order(b)
	slack = 0.0101 * (parts[a] > parts[b] ? parts[a] : parts[b] > 0 ? parts[b] : 1)
	if (sym && n_keys == 1 && count[a] > 1 && count[b] == 1) {
		slack *= count[a]
		add_up(a)
	}
	calls = has_children[1, section] && !nameless(k) && k !~ /[|]no line/
	for (i = 1; i <= count[a] || i <= count[b]; i++) {
		if (!big(self_of[a, i], calls ? children_of[a, i] : 0, 1, section) &&
			!big(self_of[b, i], calls ? children_of[b, i] : 0, 2, section))
			continue
		if (i <= count[a] && i <= count[b] && near(share(self_of[a, i], 1, section), share(self_of[b, i], 2, section), 0.00001) &&
			(!calls || near(children_of[a, i] + 0, children_of[b, i] + 0, slack))) {
			equal++
			continue
		}
		differ++
		unequal[differ] = k
		unequal_row[differ] = i
	}
}

# A row without the file of its source line.
function fileless(k,    part, field, n, i, s) {
	split(k, part, SUBSEP)
	n = split(substr(part[2], 2), field, "|")
	for (i = 1; i <= n; i++) {
		if (key[i] == "srcline")
			sub(/^.*:/, "", field[i])
		s = s "|" field[i]
	}
	return s
}

# Row d is perf's alone and row e ours, and but for the file of the line they are one: perf asks an addr2line, and that
# of binutils 2.40 takes the number of a file of DWARF 5 for another one's (D40).
function other_file(d, e,    k, i, l, j) {
	k = unequal[d]
	i = unequal_row[d]
	l = unequal[e]
	j = unequal_row[e]
	return i <= count[1, k] && i > count[2, k] && j <= count[2, l] && j > count[1, l] && fileless(k) == fileless(l) &&
		self_of[1, k, i] == self_of[2, l, j] && near(children_of[1, k, i] + 0, children_of[2, l, j] + 0, 0.0101)
}

function drop_other_files(    d, e) {
	for (d = 1; d <= differ; d++)
		for (e = 1; e <= differ && !dropped[d]; e++)
			if (!dropped[e] && other_file(d, e))
				dropped[d] = dropped[e] = 1
}

function row_text(k, i,    a, b) {
	a = 1 SUBSEP k
	b = 2 SUBSEP k
	return sprintf("    perf %7s%% %9s   ours %7s%% %9s   %s\n",
		i <= count[a] ? children_of[a, i] : "-", i <= count[a] ? sprintf("%.3f%%", share(self_of[a, i], 1, section)) : "-",
		i <= count[b] ? children_of[b, i] : "-", i <= count[b] ? sprintf("%.3f%%", share(self_of[b, i], 2, section)) : "-",
		substr(k, index(k, SUBSEP) + 2))
}

END {
	for (section in sections) {
		if (!seen[1, section] || !seen[2, section]) {
			if (seen[1, section] && !grouped[section] && rows[1, section]) {
				print name ": no table of " section
				failed = 1
			}
			continue
		}
		differ = equal = shown = 0
		text = ""
		split("", dropped)
		if (whole[1, section] != whole[2, section])
			text = text sprintf("    whole: %s, ours %s\n", whole[1, section], whole[2, section])
		for (k in known) {
			split(k, part, SUBSEP)
			if (part[1] == section)
				compare(k, section)
		}
		if (lines)
			drop_other_files()
		for (i = 1; i <= differ; i++) {
			if (dropped[i])
				equal++
			else if (++shown <= 10 || verbose)
				text = text row_text(unequal[i], unequal_row[i])
		}
		printf "%s: %s: %d rows equal%s\n%s", name, section, equal, shown ? ", " shown " DIFFER" : "", text
		if (text != "")
			failed = 1
	}
	exit failed
}
