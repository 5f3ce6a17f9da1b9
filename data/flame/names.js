/* This file shortens names until they fit into a box, by the rules of src/view/style/label.c. */
const operators = /^operator(?:<=>|<<=|>>=|->\*|<<|>>|<=|>=|->|<|>)/;

/* Return the number of characters at i that look like brackets but belong to an operator, such as -> or operator<. */
function noBracket(name, i) {
	if (name[i] === "-")
		return name[i + 1] === ">" ? 2 : 0;
	if (name[i] !== "o" || i && /[\w\u0080-\uffff]/.test(name[i - 1]))
		return 0;
	const m = operators.exec(name.slice(i, i + 12));

	return m ? m[0].length : 0;
}

/* Remove the suffixes that compilers append, such as .constprop.0 or the hash of a Rust name. */
function canonical(name) {
	for (let last = ""; last !== name;) {
		last = name;
		name = name.replace(/^(.+?) \[clone \..*\]$/, "$1").replace(/^(.+)::h[0-9a-f]{16}$/, "$1")
			.replace(/^(.+)\.(?:isra|constprop|part|cold|llvm|lto_priv)(?:\.[0-9]+)?$/, "$1");
	}
	return name;
}

/* Remove the argument list. */
function bare(name) {
	let depth = 0, skip;

	for (let i = 0; i < name.length; i++) {
		const c = name[i];

		if ((skip = noBracket(name, i)))
			i += skip - 1;
		else if (c === "(" && depth === 0 && i && name[i - 1] !== "." && !name.startsWith("(anonymous namespace)", i))
			return name.slice(0, i).trimEnd();
		else if ("<[{(".includes(c))
			depth++;
		else if (">]})".includes(c) && depth > 0)
			depth--;
	}
	return name;
}

/* Remove the argument list, and the return type that precedes the name of a C++ template. */
function withoutTypes(name) {
	const short = bare(name);
	let depth = 0, start = 0, skip;

	if (short.length === name.length)
		return short;
	for (let i = 0; i < short.length; i++) {
		if ((skip = noBracket(short, i))) {
			if (depth === 0)
				break;
			i += skip - 1;
		} else if ("<[{(".includes(short[i])) {
			depth++;
		} else if (">]})".includes(short[i]) && depth > 0) {
			depth--;
		} else if (depth === 0 && short[i] === " ") {
			if (short.slice(0, i).endsWith("operator"))
				break;
			start = i + 1;
		}
	}
	return short.slice(start);
}

/* Remove template arguments. Keep those at the start: they are Rust's <Type as Trait>::method. */
function withoutTemplates(name) {
	const leading = name[0] === "<" ? 1 : 0;
	let depth = 0, out = "", skip;

	for (let i = 0; i < name.length; i++) {
		if ((skip = noBracket(name, i))) {
			if (depth <= leading)
				out += name.slice(i, i + skip);
			i += skip - 1;
			continue;
		}
		if (name[i] === "<")
			depth++;
		if (depth <= leading && (depth === 0 || leading))
			out += name[i];
		if (name[i] === ">" && depth > 0)
			depth--;
	}
	return out.trimEnd();
}

/* Remove the first component of a qualified name. Return "" if it has only one. */
function withoutFirst(name) {
	let depth = 0, skip;

	for (let i = 0; i < name.length; i++) {
		const c = name[i];

		if ((skip = noBracket(name, i))) {
			i += skip - 1;
		} else if ("<[{(".includes(c)) {
			depth++;
		} else if (">]})".includes(c) && depth > 0) {
			depth--;
		} else if (depth === 0 && (name.startsWith("::", i) || c === "/" && !name.slice(0, i).includes(" "))) {
			const rest = name.slice(i).replace(/^(?:\/|:+)/, "");

			if (/^[\w~]/.test(rest))
				return rest;
		}
	}
	return "";
}

/* Cut a text in the middle to a number of characters: related names begin alike, and differ at the end. */
function cut(text, cells) {
	const tail = cells < 6 ? 0 : cells - 1 >> 1;

	if (text.length <= cells)
		return text;
	return cells < 2 ? "" : text.slice(0, cells - 1 - tail) + "\u2026" + text.slice(text.length - tail);
}

function fit(name, cells) {
	name = name.replace(/(.)_\[[kjiw]\]$/, "$1");
	if (cells < 2 || name.length <= cells)
		return cut(name, cells);
	let s = canonical(name);
	if (s.length <= cells)
		return s;
	s = withoutTypes(s);
	if (s.length <= cells)
		return s;
	s = withoutTemplates(s);
	for (let rest = s; s.length > cells && rest;)
		if ((rest = withoutFirst(s)))
			s = rest;
	return cut(s, cells);
}
