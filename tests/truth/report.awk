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
	if (rowkey ~ /\|no line/ && count[id]) {
		self_of[id, 1] += self
		next
	}
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
	slack = 0.0101
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
		if (verbose || ++shown <= 10)
			text = text sprintf("    perf %7s%% %9s   ours %7s%% %9s   %s\n",
				i <= count[a] ? children_of[a, i] : "-", i <= count[a] ? sprintf("%.3f%%", share(self_of[a, i], 1, section)) : "-",
				i <= count[b] ? children_of[b, i] : "-", i <= count[b] ? sprintf("%.3f%%", share(self_of[b, i], 2, section)) : "-",
				substr(k, index(k, SUBSEP) + 2))
	}
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
		if (whole[1, section] != whole[2, section])
			text = text sprintf("    whole: %s, ours %s\n", whole[1, section], whole[2, section])
		for (k in known) {
			split(k, part, SUBSEP)
			if (part[1] == section)
				compare(k, section)
		}
		printf "%s: %s: %d rows equal%s\n%s", name, section, equal, differ ? ", " differ " DIFFER" : "", text
		if (text != "")
			failed = 1
	}
	exit failed
}
