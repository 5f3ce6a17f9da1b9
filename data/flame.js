(function () {
"use strict";
const script = document.currentScript;
const svg = script && script.ownerSVGElement || document.documentElement;
const $ = id => svg.querySelector("#" + id);
const area = $("frames"), body = $("rows"), head = $("head"), foot = $("foot");
const data = area.dataset;
const rows = +data.rows, pitch = 18, pad = 16;
const wholes = data.whole.split(" ").map(Number); /* of the widths; with two sides also of before and now */
let rootUp = data.up === "1";

/* ---- the frames as they are in the file: where they begin and how wide they are, in weights */
const frames = Array.from(body.children, g => {
	const v = g.dataset.v.split(" ").map(Number), rect = g.querySelector("rect");
	const line = Math.round(rect.getAttribute("y") / pitch), many = g.classList.contains("many");
	const title = g.querySelector("title").textContent;

	return {g, rect, title, text: g.querySelector("text"), x: v[0], w: v[1], sides: v.slice(2),
		depth: rootUp ? line : rows - 1 - line, many,
		mark: g.dataset.c ? g.dataset.c + " " : "",
		name: many ? "+" + parseInt(title) : title.split("\n", 1)[0].replace(/ \([^()]*\)$/, ""), state: 0, label: null, wide: g.classList.contains("wide"), hit: !many && g.classList.contains("hit")};
});
const ofGroup = new Map(frames.map(f => [f.g, f]));
const byPlace = frames.slice().sort((a, b) => a.x - b.x || b.w - a.w || a.depth - b.depth);
const lines = Array.from({length: rows}, () => []);
for (const f of frames)
	lines[f.depth].push(f);
for (const line of lines)
	line.sort((a, b) => a.x - b.x);
const root = frames.reduce((a, b) => b.depth < a.depth ? b : a);

let zoom = root, chosen = null, under = null, pattern = null, width = 0, cell = 7.2;

const end = f => f.x + f.w;
const covers = (a, b) => a.depth <= b.depth && a.x <= b.x && end(a) >= end(b);
const percent = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(2) + "%";
const shown = f => f.state === 1 || f.state === 2;

/* ---- names made to fit, as label.c does it */
const operators = /^operator(?:<=>|<<=|>>=|->\*|<<|>>|<=|>=|->|<|>)/;

/* How many characters at i look like brackets and are none. */
function noBracket(name, i) {
	if (name[i] === "-")
		return name[i + 1] === ">" ? 2 : 0;
	if (name[i] !== "o" || i && /[\w\u0080-\uffff]/.test(name[i - 1]))
		return 0;
	const m = operators.exec(name.slice(i, i + 12));

	return m ? m[0].length : 0;
}

/* Without what the compiler has put behind it. */
function canonical(name) {
	for (let last = ""; last !== name;) {
		last = name;
		name = name.replace(/^(.+?) \[clone \..*\]$/, "$1").replace(/^(.+)::h[0-9a-f]{16}$/, "$1")
			.replace(/^(.+)\.(?:isra|constprop|part|cold|llvm|lto_priv)(?:\.[0-9]+)?$/, "$1");
	}
	return name;
}

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

/* Without argument list, and then without the return type that the names of C++ templates begin with. */
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

/* What a name begins with is kept, for that is Rust's <Type as Trait>::method. */
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

/* A qualified name without its first part; "" where it has no further. */
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

/* In the middle, for names of one family begin alike. */
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

/* ---- drawing: state 0 is out of view, 1 in it, 2 a caller of what is zoomed */
function make(tag, parent, attributes) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const k in attributes)
		e.setAttribute(k, attributes[k]);
	parent.appendChild(e);
	return e;
}

/* A line around what is narrow would cover it. */
function drawEdge(f, share) {
	const wide = share * width > 3;

	if (wide !== f.wide)
		f.g.classList.toggle("wide", f.wide = wide);
}

function drawText(f, share) {
	const cells = Math.floor((share * width - 7) / cell), mark = cells > 2 ? f.mark : "";
	const name = shown(f) ? fit(f.name, cells - mark.length) : "", label = name && mark + name;

	if (label === f.label)
		return;
	f.label = label;
	if (!f.text && label)
		f.text = make("text", f.g, {dx: 4, dy: 13, y: f.rect.getAttribute("y")});
	if (f.text)
		f.text.textContent = label;
}

function draw() {
	for (const f of frames) {
		const state = covers(zoom, f) ? 1 : covers(f, zoom) ? 2 : 0;
		const at = state === 1 ? (f.x - zoom.x) / zoom.w : 0;
		const share = state === 1 ? f.w / zoom.w : 1;

		if (state !== f.state || state === 1) {
			f.g.classList.toggle("off", state === 0);
			f.g.classList.toggle("up", state === 2);
			f.state = state;
			if (state) {
				f.rect.setAttribute("x", 100 * at + "%");
				f.rect.setAttribute("width", 100 * share + "%");
			}
		}
		if (state)
			drawEdge(f, share);
		drawText(f, share);
		if (f.text)
			f.text.setAttribute("x", 100 * at + "%");
	}
}

function turn() {
	for (const f of frames) {
		const y = lineY(f);

		f.rect.setAttribute("y", y);
		if (f.text)
			f.text.setAttribute("y", y);
	}
}

/* ---- size: as wide as the window; where that is too low, the rows scroll between head and foot */
const alone = svg === document.documentElement;
const full = rows * pitch, top = +area.getAttribute("y"), height = +svg.getAttribute("height");
const heading = $("title");
let room = full, offset = 0;

function scroll(to) {
	offset = Math.max(0, Math.min(to, full - room));
	body.setAttribute("transform", "translate(0," + -offset + ")");
	thumb.setAttribute("y", top + offset * room / full);
	thumb.setAttribute("height", room * room / full);
	thumb.classList.toggle("off", room >= full);
}

function scrollToRoot() {
	scroll(rootUp ? 0 : full);
}

function resize() {
	const now = Math.max(svg.getBoundingClientRect().width - 2 * pad, 80);
	const fromRoot = rootUp ? offset : full - room - offset;

	if (alone) {
		const spare = window.innerHeight - height;

		svg.setAttribute("height", spare ? "100%" : height); /* 0: the frame it is in took its size */
		room = Math.max(Math.min(full + spare, full), 3 * pitch);
		area.setAttribute("height", room);
		foot.setAttribute("transform", "translate(0," + (room - full) + ")");
	}
	scroll(rootUp ? fromRoot : full - room - fromRoot);
	if (now === width)
		return;
	width = now;
	heading.lastChild.nodeValue = cut(heading.firstChild.textContent, Math.floor((now - 370) / 10));
	area.setAttribute("width", now);
	bar.setAttribute("x", Math.max(pad, now + pad - 360));
	thumb.setAttribute("x", now + pad + 4);
	draw();
}

function lineY(f) {
	return (rootUp ? f.depth : rows - 1 - f.depth) * pitch;
}

function scrollIntoView(f) {
	scroll(Math.max(lineY(f) + pitch - room, Math.min(offset, lineY(f))));
}

/* ---- what a frame is */
function tell() {
	const f = under || chosen;
	const text = f ? f.title.split("\n") : ["", "Click a frame to zoom in, / to search, ? for the keys"];

	$("details").textContent = cut(text[0], Math.floor(width / cell));
	$("info").textContent = text.slice(1).join(" \u00b7 ");
}

function choose(f) {
	if (chosen)
		chosen.g.classList.remove("on");
	chosen = f;
	if (f) {
		f.g.classList.add("on");
		body.appendChild(f.g); /* so that its outline is not drawn over */
		under = null;
		scrollIntoView(f);
	}
	tell();
}

/* ---- search */
function matched(whole) {
	let sum = [0, 0, 0], last = -1;

	for (const f of byPlace) {
		if (!f.hit || f.x < last || !(whole || covers(zoom, f) || covers(f, zoom)))
			continue;
		const inside = whole || covers(zoom, f) ? f : zoom;
		sum[0] += inside.w;
		inside.sides.forEach((v, i) => sum[i + 1] += v);
		last = end(inside);
	}
	return sum;
}

function tellMatched() {
	const out = $("matched"), all = matched(true), here = matched(false);

	if (!frames.some(f => f.hit)) {
		out.textContent = pattern ? "no match" : "";
		return;
	}
	out.textContent = "matched " + (wholes.length > 1
		? percent(all[1], wholes[1]) + " \u2192 " + percent(all[2], wholes[2])
		: percent(all[0], wholes[0]));
	if (zoom !== root && wholes.length === 1)
		out.textContent += ", " + percent(here[0], zoom.w) + " of zoom";
}

function search(text) {
	pattern = null;
	$("search").value = text;
	$("search").classList.remove("bad");
	if (text) {
		try {
			pattern = new RegExp(text, /[A-Z]/.test(text) ? "" : "i");
		} catch (e) {
			$("search").classList.add("bad");
		}
	}
	for (const f of frames) {
		const hit = pattern !== null && !f.many && pattern.test(f.name);

		if (hit !== f.hit || f.many) /* which the file may have marked */
			f.g.classList.toggle("hit", f.hit = hit);
	}
	tellMatched();
}

function nextMatch(step) {
	const hits = byPlace.filter(f => f.hit && shown(f));
	const at = hits.indexOf(chosen);

	if (hits.length)
		choose(hits[(at < 0 && step < 0 ? hits.length - 1 : at + step + hits.length) % hits.length]);
}

/* ---- zoom, and the state in the address */
function zoomTo(f) {
	zoom = f;
	$("unzoom").disabled = f === root;
	draw();
	scrollIntoView(f);
	tellMatched();
}

function address() {
	const parts = [];

	if (zoom !== root)
		parts.push("x=" + zoom.x, "y=" + zoom.depth);
	if (pattern)
		parts.push("s=" + encodeURIComponent($("search").value));
	return "#" + parts.join("&");
}

/* A zoom is a step that the browser's back button undoes, typing is not. */
function remember(step) {
	if (address() === (location.hash || "#"))
		return;
	try {
		history[step ? "pushState" : "replaceState"](null, "", address());
	} catch (e) {
		/* In a frame without an address of its own there is nothing to remember in. */
	}
}

function recall() {
	const state = new URLSearchParams(location.hash.slice(1));
	const line = state.has("x") && lines[+state.get("y")] || [];
	const text = state.get("s") || "";

	if (text !== $("search").value) /* else what the file has marked stays */
		search(text);
	zoomTo(line.find(f => f.x === +state.get("x") && !f.many) || root);
}

function userZooms(f) {
	if (!f || f.many)
		return;
	zoomTo(f);
	remember(true);
}

function escape() {
	if ($("search").value) {
		search("");
		remember(false);
	} else if (chosen && zoom === root) {
		choose(null);
	} else {
		userZooms(root);
	}
}

/* ---- the keyboard walks along the rows as they are seen */
function move(dx, dy) {
	const at = chosen && shown(chosen) ? chosen : zoom;
	const mid = Math.max(at.x, zoom.x) + Math.min(at.w, zoom.w) / 2;

	if (at !== chosen)
		return choose(at);
	if (dx) {
		const line = lines[at.depth].filter(shown);

		return choose(line[line.indexOf(at) + dx] || at);
	}
	const line = (lines[at.depth + (rootUp ? dy : -dy)] || []).filter(shown);
	const inside = line.filter(f => covers(at, f) || covers(f, at));
	choose(inside.find(f => end(f) > mid) || inside[inside.length - 1] || at);
}

const keys = {
	"/": () => $("search").focus(), Escape: escape,
	Enter: () => userZooms(chosen), Backspace: () => userZooms(above(zoom)),
	ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0),
	ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
	PageUp: () => scroll(offset - room), PageDown: () => scroll(offset + room),
	Home: () => scroll(0), End: () => scroll(full),
	n: () => nextMatch(1), N: () => nextMatch(-1), i: flip,
	"?": () => {
		$("details").textContent = "arrows select  Enter zoom  Backspace to the caller  Esc back to all";
		$("info").textContent = "/ or Ctrl-F search (regular expression, upper case counts if there is any), " +
			"n and N next and previous match, i root up or down";
	},
};

function above(f) {
	return f.depth > root.depth && lines[f.depth - 1].find(g => covers(g, f)) || root;
}

function flip() {
	rootUp = !rootUp;
	turn();
	scrollToRoot();
}

/* ---- the bar: only here, for it does nothing where scripts do not run */
const thumb = make("rect", svg, {id: "thumb", width: 7, rx: 3});
const bar = make("foreignObject", head, {y: 8, width: 360, height: 34});
make("text", head, {id: "matched", x: "100%", dx: -pad, y: 49, "text-anchor": "end"});

function html(tag, parent, properties) {
	const e = document.createElementNS("http://www.w3.org/1999/xhtml", tag);

	Object.assign(e, properties);
	parent.appendChild(e);
	return e;
}

const box = html("div", bar, {className: "bar"});
html("input", box, {id: "search", type: "search", placeholder: "Search (regex)", spellcheck: false,
	oninput: e => { search(e.target.value); remember(false); },
	onkeydown: e => {
		if (e.key === "Enter" || e.key === "Escape")
			e.target.blur();
		if (e.key === "Escape")
			escape();
		e.stopPropagation();
	}});
html("button", box, {id: "unzoom", textContent: "Reset zoom", disabled: true,
	onclick: () => userZooms(root)});
html("button", box, {textContent: "Flip", title: "root at the top or at the bottom", onclick: flip});

area.addEventListener("click", e => userZooms(ofGroup.get(e.target.closest("g"))));
area.addEventListener("mouseover", e => { under = ofGroup.get(e.target.closest("g")) || null; tell(); });
area.addEventListener("mouseleave", () => { under = null; tell(); });
window.addEventListener("keydown", e => {
	const find = (e.ctrlKey || e.metaKey) && e.key === "f";

	if (!find && (e.ctrlKey || e.metaKey || e.altKey || e.target.closest && e.target.closest(".bar button")))
		return;
	const key = find ? "/" : e.key;
	if (Object.hasOwn(keys, key)) {
		e.preventDefault();
		keys[key]();
	}
});
window.addEventListener("resize", resize);
window.addEventListener("wheel", e => {
	if (room >= full || e.ctrlKey)
		return;
	e.preventDefault();
	scroll(offset + e.deltaY * (e.deltaMode ? pitch : 1));
}, {passive: false});

/* Dragging: the thumb with anything, the rows with a finger. */
function drag(e, each) {
	let y = e.clientY;
	const move = m => { scroll(offset + each * (m.clientY - y)); y = m.clientY; };
	const stop = () => {
		window.removeEventListener("pointermove", move);
		window.removeEventListener("pointerup", stop);
		window.removeEventListener("pointercancel", stop);
	};

	window.addEventListener("pointermove", move);
	window.addEventListener("pointerup", stop);
	window.addEventListener("pointercancel", stop);
}
thumb.addEventListener("pointerdown", e => { e.preventDefault(); drag(e, full / room); });
area.addEventListener("pointerdown", e => { if (e.pointerType === "touch") drag(e, -1); });
window.addEventListener("hashchange", recall);
window.addEventListener("popstate", recall);

/* With a script the picture is as wide as the window; without, it keeps the width it was made for. */
svg.setAttribute("width", "100%");
svg.removeAttribute("viewBox");
cell = (() => {
	const probe = make("text", foot, {});

	probe.textContent = "m".repeat(100);
	const one = probe.getComputedTextLength() / 100;
	probe.remove();
	return one || 7.2;
})();
resize();
scrollToRoot();
recall();
tell();
})();
