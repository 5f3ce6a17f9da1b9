# Make a page of the manual from docs/cresset.1, which is the reference.
#
#   cresset help COMMAND | awk -v command=COMMAND -f page.awk - cresset.1      the page of a command
#   awk -v page=NAME -v about=TEXT -v sections='A|B' -f page.awk cresset.1     sections as a page of their own
#
# A page of a command has its usage, examples and groups of options from its help, which comes from the program's tables;
# the texts are those of the reference, as far as it has one for the option, otherwise those of the help.

function macro(text) { gsub(/\\/, "\\e", text); return text ~ /^[.']/ ? "\\&" text : text }

# Text of the reference on another page: its sections are elsewhere, and .Nm is the program.
function carried(line,   rest) {
	if (line ~ /^\.Nm$/ || line ~ /^\.Nm [.,:;)]/) { sub(/^\.Nm/, ".Nm cresset", line); return line }
	if (line ~ /^\.Sx /) {
		rest = substr(line, 5)
		if (match(rest, / [.,:;)]$/)) return ".Dq " substr(rest, 1, RSTART - 1) "\nin\n.Xr cresset 1" substr(rest, RSTART)
		return ".Dq " rest "\nin\n.Xr cresset 1"
	}
	return line
}

function put(text,   i, n, line) {
	n = split(text, line, "\n")
	for (i = 1; i < n; i++) print line[i] # the last one is empty
}

# ---- the help of the command

command != "" && FNR == NR {
	if ($0 ~ /^Usage: /) { usage = $0; sub(/^Usage: cresset [^ ]* ?/, "", usage); part = ""; next }
	if (usage == "") { if ($0 != "") about = about (about == "" ? "" : " ") $0; next }
	if ($0 ~ /^[A-Z].*:$/) { part = substr($0, 1, length($0) - 1); next }
	if (part == "Examples" && $0 != "") { examples = examples macro($0) "\n"; next }
	if (part == "Exit codes" && $0 != "") { codes = codes macro($0) "\n"; next }
	if (part == "" || $0 == "") next
	if ($0 ~ /^  (-.,|   ) --/) {
		n_options++
		option_part[n_options] = part
		line = $0
		match(line, /--[a-z0-9-]*/)
		option[n_options] = substr(line, RSTART + 2, RLENGTH - 2)
		letter[n_options] = line ~ /^  -/ ? substr(line, 4, 1) : ""
		rest = substr(line, RSTART + RLENGTH)
		argument[n_options] = ""
		if (rest ~ /^ [^ ]/) {
			argument[n_options] = substr(rest, 2)
			sub(/  .*/, "", argument[n_options])
			rest = substr(rest, length(argument[n_options]) + 2)
		}
		argument_of[option[n_options]] = argument[n_options]
		sub(/^ */, "", rest)
		helped[n_options] = rest
	} else {
		sub(/^ */, "")
		helped[n_options] = helped[n_options] (helped[n_options] == "" ? "" : " ") $0
	}
	next
}

# ---- the reference

/^\.Dd / && date == "" { date = $0 }
/^\.Sh / { section = substr($0, 5); heading = ""; entry = ""; depth = 0 }
/^\.Ss / { heading = substr($0, 5); entry = ""; depth = 0 }

# whole sections
command == "" {
	n = split(sections, wanted, "|")
	for (i = 1; i <= n; i++) if (section == wanted[i]) body = body carried($0) "\n"
	next
}

/^\.Bl / { depth++ }
/^\.It / && depth == 1 {
	entry = ""
	if (section == "SUBCOMMANDS")
		for (i = 2; i <= NF; i++) if ($i == "Ic" && $(i + 1) == command) entry = "description"
	names = ", " heading ", "
	if (section == "OPTIONS" && (heading == "All subcommands" || index(names, ", " command ", "))) {
		entry = "option"
		n_texts++
		item[n_texts] = $0
		for (i = 2; i < NF; i++)
			if ($i == "Fl" && $(i + 1) ~ /^-/) remember(substr($(i + 1), 2), $(i + 3))
	}
	next
}
/^\.El/ { if (--depth == 0) { entry = ""; next } }
entry == "description" { description = description carried($0) "\n" }
entry == "option" { text[n_texts] = text[n_texts] carried($0) "\n" }

# Several entries may have the name of an option; the one with the argument of the help is meant.
function remember(name, arg) {
	if (name in text_of && given[name] == argument_of[name]) return
	text_of[name] = n_texts
	given[name] = arg
}

# An entry of the list of options: "-s KEY, --sort KEY"
function put_option(i,   line, arg) {
	arg = argument[i]
	if (option[i] in text_of && text[text_of[option[i]]] != "") {
		if (done[text_of[option[i]]]++) return
		print item[text_of[option[i]]]
		put(text[text_of[option[i]]])
		return
	}
	gsub(/\|/, "\\*(Ba", arg)
	line = letter[i] == "" ? "" : "Fl " letter[i] (arg == "" ? "" : " Ar " arg) " , "
	print ".It " line "Fl -" option[i] (arg == "" ? "" : " Ar " arg)
	print macro(toupper(substr(helped[i], 1, 1)) substr(helped[i], 2)) (helped[i] ~ /\.$/ ? "" : ".")
}

# True if the part that begins with option i has one that was not printed: formats may share one.
function any_left(i,   part) {
	for (part = option_part[i]; i <= n_options && option_part[i] == part; i++)
		if (!(option[i] in text_of) || text[text_of[option[i]]] == "" || !done[text_of[option[i]]]) return 1
	return 0
}

END {
	print ".\\\" Made from docs/cresset.1 and the tables of the program by docs/page.awk."
	print date
	if (command == "") {
		print ".Dt CRESSET-" toupper(page) " 5\n.Os\n.Sh NAME\n.Nm cresset-" page "\n.Nd " about
		put(body)
		print ".Sh SEE ALSO\n.Xr cresset 1"
		exit
	}
	print ".Dt CRESSET-" toupper(command) " 1\n.Os\n.Sh NAME\n.Nm cresset-" command "\n.Nd " about
	print ".Sh SYNOPSIS\n.Nm cresset " command
	n = split(usage, word, " ")
	for (i = 1; i <= n; i++) {
		gsub(/\|/, "\\*(Ba", word[i])
		if (word[i] == "[OPTION]...") print ".Op Ar option ..."
		else print ".Ar " (word[i] ~ /^[-|]/ ? "\\&" : "") word[i] (word[i] ~ /[])]$/ ? "\\&" : "")
	}
	print ".Sh DESCRIPTION"
	if (examples != "") print ".Bd -literal\n" examples ".Ed\n.Pp"
	put(description != "" ? description : macro(about) ".\n")
	print ".Sh OPTIONS"
	for (i = 1; i <= n_options; i++) {
		if (option_part[i] != option_part[i - 1]) {
			if (!any_left(i)) continue
			if (i > 1) print ".El"
			print ".Ss " (option_part[i] == "Options" ? "Options of this command" : option_part[i])
			print ".Bl -tag -width Ds"
		}
		put_option(i)
	}
	print ".El\n.Sh EXIT STATUS\n.Bd -literal\n" codes ".Ed"
	print ".Sh SEE ALSO\n.Xr cresset 1 ,\n.Xr cresset-formats 5 ,\n.Xr cresset-store 5 ,\n.Xr cresset-tutorial 7"
}
