/* This file fills everything except the rows: the bar, the details, the tooltip, the legend, the tables and the help. */
let under = null; /* the box under the pointer */

function html(tag, parent, properties) {
	const e = document.createElementNS("http://www.w3.org/1999/xhtml", tag);

	Object.assign(e, properties);
	parent.appendChild(e);
	return e;
}

function overlay(id) {
	const e = make("foreignObject", svg, {id, width: 1, height: 1, class: "off"});

	return {e, box: html("div", e, {className: id})};
}

const thumb = make("rect", svg, {id: "thumb", width: 7, rx: 3});
const bar = make("foreignObject", head, {y: 8, width: 500, height: 34});
const barBox = html("div", bar, {className: "bar"});
const panel = overlay("panel"), tip = overlay("tip");

make("text", head, {id: "matched", x: "100%", dx: -pad, y: 49, "text-anchor": "end"});
make("text", head, {id: "steps", x: "100%", dx: -pad, y: 67, "text-anchor": "end"});

/*
 * Place the bar for a graph of this width in pixels: to the right of the title, or in a narrow window
 * on a line of its own above it, without the less important buttons. Return the pixels that the title
 * cannot use.
 */
function placeBar(now) {
	const isNarrow = now < 760, barWidth = isNarrow ? now : 500, extra = isNarrow ? 36 : 0;

	barBox.classList.toggle("narrow", isNarrow);
	bar.setAttribute("width", barWidth);
	bar.setAttribute("x", now + pad - barWidth);
	bar.setAttribute("y", 8 - extra);
	head.setAttribute("transform", "translate(0," + extra + ")");
	top = headHeight + extra;
	area.setAttribute("y", top);
	return isNarrow ? 0 : barWidth + 12;
}

/* ---- details below the rows, and the tooltip next to the pointer */

function factsOfBox(box) {
	return isMany(box) ? [titleOf(box)] : factsOf(view.tree, box.n, view.zoom);
}

function showDetails() {
	const box = under || chosen;
	const lines = box ? factsOfBox(box)
		: ["", "Click a frame to zoom in, / to search, o to change the order, ? for all keys"];

	$("details").textContent = cut((box && meta.nameType ? meta.nameType + " " : "") + lines[0], Math.floor(width / cell));
	$("info").textContent = " ";
	putText($("info").firstChild, lines.slice(1).join(" \u00b7 "), width);
}

function hideTip() {
	tip.e.classList.add("off");
}

function showTip(box, x, y) {
	const lines = factsOfBox(box), wide = Math.min(480, width);

	tip.box.replaceChildren();
	lines.forEach((line, i) => html(i ? "div" : "b", tip.box, {textContent: line}));
	tip.e.classList.remove("off");
	tip.e.setAttribute("width", wide);
	tip.e.setAttribute("height", 400);
	const size = tip.box.getBoundingClientRect(), high = size.height / enlarged + 4;
	const left = x / enlarged, above = y / enlarged;

	tip.e.setAttribute("height", high);
	tip.e.setAttribute("x", Math.max(0, Math.min(left + 14, width + 2 * pad - size.width / enlarged - 4)));
	tip.e.setAttribute("y", above + 18 + high > windowHeight() ? Math.max(0, above - high - 8) : above + 18);
}

function choose(box) {
	chosen = box;
	under = null;
	hideTip();
	if (box)
		scrollIntoView(box);
	drawChosen();
	showDetails();
}

function showSteps() {
	const text = state.steps.map(([kind, name]) => steps[kind].about + " " + cut(name, 40));

	if (state.inverted)
		text.push("leaf functions first");
	if (meta.leftOut)
		text.unshift(meta.leftOut);
	$("steps").textContent = text.join(" \u00b7 ");
}

/* ---- the legend: it shows the share of each class; a click greys out the other classes */
const dimmed = new Set();
const swatches = Array.from($("legend").querySelectorAll("[data-kind]"));
const isDimmed = f => dimmed.size > 0 && !dimmed.has(frames.kind[f]);

function sumKinds(t) {
	const sums = new Float64Array(256), own = t.self[meta.sides - 1];

	for (let n = 0; n < t.n; n++)
		sums[frames.kind[t.frame[n]]] += own[n];
	return sums;
}

function showLegend() {
	const t = view.tree, sums = t.kinds ||= sumKinds(t);

	for (const swatch of swatches) {
		const text = swatch.querySelector("text"), kind = +swatch.dataset.kind;

		text.textContent = swatch.dataset.name + " " + (100 * sums[kind] / (t.total[meta.sides - 1][0] || 1)).toFixed(1) + "%";
		swatch.classList.toggle("dim", dimmed.size > 0 && !dimmed.has(kind));
	}
	let x = pad;

	for (const swatch of swatches) {
		swatch.setAttribute("transform", "translate(" + (x - swatch.dataset.x) + ",0)");
		x += swatch.querySelector("text").textContent.length * 6.6 + 36;
	}
}

for (const swatch of swatches)
	swatch.addEventListener("click", () => {
		const kind = +swatch.dataset.kind;

		if (!dimmed.delete(kind))
			dimmed.add(kind);
		showLegend();
		draw();
	});

/* ---- the table of functions */

/* Return the self and total cost of each function, by name. A recursive function counts once in a stack. */
function functionsOf(t) {
	if (t.functions)
		return t.functions;
	const known = [], own = t.self[meta.sides - 1], total = t.total[meta.sides - 1];

	for (let n = 1; n < t.n; n++) {
		const f = t.frame[n], row = known[frames.nameId[f]] ||= {frame: f, self: 0, total: 0, widest: n, free: 0};

		row.self += own[n];
		if (t.width[n] > t.width[row.widest])
			row.widest = n;
		if (n >= row.free) {
			row.total += total[n];
			row.free = t.end[n];
		}
	}
	return t.functions = known.filter(row => row && isFunction(row.frame))
		.map(row => ({name: frames.name[row.frame], ...row}));
}

let bySelf = true;

function topFunctions() {
	const key = bySelf ? "self" : "total";

	return functionsOf(view.tree).filter(row => !pattern || hits[row.frame])
		.sort((a, b) => b[key] - a[key] || (a.name < b.name ? -1 : 1)).slice(0, 50);
}

function copy(text) {
	if (navigator.clipboard)
		navigator.clipboard.writeText(text).catch(() => {});
	$("details").textContent = "copied";
	$("info").textContent = cut(text.split("\n")[0], Math.floor(width / cell));
}

function functionsAsText() {
	const whole = view.tree.total[meta.sides - 1][0];

	return ["self\tself %\ttotal\ttotal %\tfunction", ...topFunctions().map(row =>
		[row.self, percent(row.self, whole), row.total, percent(row.total, whole), row.name].join("\t"))].join("\n");
}

/* Go to a function of the table: search for its exact name and select its widest box. */
function goTo(row) {
	search("^" + escaped(row.name) + "$");
	remember(false);
	const box = allBoxes().find(b => b.n === row.widest && !isMany(b));

	if (box)
		choose(box);
	else
		zoomTo(row.widest);
}

function openPanel(kind, fill) {
	panel.kind = panel.kind === kind ? null : kind;
	panel.e.classList.toggle("off", !panel.kind);
	panel.box.replaceChildren();
	if (!panel.kind)
		return;
	fill();
	const wide = Math.min(kind === "help" ? 560 : 720, width), high = Math.max(120, windowHeight() - top - 20);

	for (const [k, v] of [["x", width + pad - wide], ["y", 52], ["width", wide], ["height", high]])
		panel.e.setAttribute(k, v);
	panel.box.style.maxHeight = high - 8 + "px";
}

function fillFunctions() {
	const whole = view.tree.total[meta.sides - 1][0];
	const line = html("div", panel.box, {className: "line"});

	html("b", line, {textContent: pattern ? "Matching functions" : "Functions"});
	html("button", line, {textContent: bySelf ? "by self" : "by total", onclick: () => {
		bySelf = !bySelf;
		showFunctions();
	}});
	html("button", line, {textContent: "Copy", onclick: () => copy(functionsAsText())});
	html("button", line, {textContent: "Close", onclick: () => openPanel(panel.kind)});
	const table = html("table", panel.box, {}), titles = html("tr", html("thead", table, {}), {});
	const rows = html("tbody", table, {});

	for (const title of ["self", "total", "function"])
		html("th", titles, {textContent: title});
	for (const row of topFunctions()) {
		const tr = html("tr", rows, {onclick: () => goTo(row)});

		html("td", tr, {textContent: percent(row.self, whole)});
		html("td", tr, {textContent: percent(row.total, whole)});
		html("td", tr, {textContent: row.name, title: row.name});
	}
}

function showFunctions() {
	if (panel.kind !== "functions")
		return;
	panel.box.replaceChildren();
	fillFunctions();
}

function fillHelp() {
	const line = html("div", panel.box, {className: "line"});

	html("b", line, {textContent: "Keys"});
	html("button", line, {textContent: "Close", onclick: () => openPanel(panel.kind)});
	const table = html("table", panel.box, {className: "keys"});

	for (const [names, about] of help) {
		const tr = html("tr", table, {});

		html("td", tr, {textContent: names});
		html("td", tr, {textContent: about});
	}
}
