/*
 * This file computes the boxes of the graph, and draws those in the window. Only visible boxes have
 * elements, so a large tree is drawn as fast as a small one.
 */
const pitch = meta.pitch, pad = 16;
const baseline = Math.floor((pitch + Math.floor(+meta.fontSize)) / 2) - 2; /* as in svg_box.c */
const NARROWEST = 0.5;      /* pixels; narrower siblings share one box */
const MOST_ELEMENTS = 3800;
const READ_OUT = 8;         /* pixels; screen readers see narrower boxes only when they are selected */
const area = $("frames"), body = $("rows"), head = $("head"), foot = $("foot"), heading = $("title");
const alone = svg === document.documentElement;
const headHeight = +area.getAttribute("y"); /* pixels above the rows, in a wide window */
let top = headHeight;

/*
 * What is shown. zoom: the node that is as wide as the picture. part: null, or the range of its
 * children that fill the picture.
 */
const view = {tree: null, zoom: 0, part: null, order: meta.order, rootUp: area.dataset.up === "1"};
let boxes = [];               /* by row, from left to right: {n, last, count, x, w, row} */
let width = 0, rows = 1;      /* width of the graph in pixels; number of its rows */
let room = 0, offset = 0;     /* pixels: height of the visible rows; how far the rows are scrolled */
let chosen = null;            /* the box that was selected with the keyboard */
let cell = +meta.cell || 7.2; /* width of a character in pixels */

function make(tag, parent, attributes) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const k in attributes)
		e.setAttribute(k, attributes[k]);
	parent.appendChild(e);
	return e;
}

/* ---- layout */

/*
 * Return how much of a node's own cost is left of its child: all in the order of names, as in
 * flamegraph.pl; in the order of time, what was recorded earlier.
 */
function leadOf(n, kid) {
	const t = view.tree;

	if (n === view.zoom && view.part)
		return 0;
	if (view.order === "name")
		return n && t.own.width[n];
	return view.order === "time" && t.lead ? t.lead[kid] : 0;
}

/*
 * Lay out the children of a box, and append their boxes to `below`. Adjacent narrow children share
 * one box. Above the zoomed node that box is always drawn, so that the user can reach every child.
 */
function layoutKids(box, scale, below) {
	const t = view.tree, kids = kidsOf(t, box.n, view.order);
	const part = box.n === view.zoom && view.part || [0, kids.length];
	let next = box.x, run = null; /* next: where a child begins if only siblings are left of it */

	const finishRun = () => {
		if (run && (run.w >= NARROWEST || box.n === view.zoom))
			below.push({...run, w: Math.max(run.w, NARROWEST)});
		run = null;
	};

	for (let i = part[0]; i < part[1]; i++) {
		const n = kids[i], w = t.width[n] * scale, x = next + leadOf(box.n, n) * scale;

		if (run && x - run.x - run.w >= NARROWEST)
			finishRun();
		if (w >= NARROWEST) {
			finishRun();
			below.push({n, count: 1, x, w, row: box.row + 1});
		} else if (w > 0) {
			run ||= {n, count: 0, first: i, x, w: 0, row: box.row + 1};
			run.count++;
			run.last = i + 1;
			run.w = x + w - run.x;
		}
		next += w;
	}
	finishRun();
}

/* Return the weight that fills the picture: that of the zoomed node, or of the selected range of its children. */
function zoomedWidth() {
	const t = view.tree;

	if (!view.part)
		return t.width[view.zoom];
	return kidsOf(t, view.zoom, view.order).slice(...view.part).reduce((sum, n) => sum + t.width[n], 0);
}

function layout() {
	const scale = width / (zoomedWidth() || 1);
	let row = ancestors(view.tree, view.zoom).map((n, i) => ({n, count: 1, x: 0, w: width, row: i}));

	boxes = row.map(box => [box]);
	for (row = [row[row.length - 1]]; row.length;) {
		const below = [];

		for (const box of row)
			if (box.count === 1)
				layoutKids(box, scale, below);
		if (below.length)
			boxes.push(below);
		row = below;
	}
	rows = boxes.length;
}

const allBoxes = () => boxes.flat();
const isMany = box => box.first !== undefined;
const rowY = row => (view.rootUp ? row : rows - 1 - row) * pitch;

/* ---- elements */

function cutRight(name, cells) {
	name = name.replace(/(.)_\[[kjiw]\]$/, "$1");
	return cells < 2 || name.length <= cells ? cut(name, cells) : name.slice(0, cells - 1) + "\u2026";
}

/* Return the width of a text in cells: Chinese, Japanese and Korean characters take two. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
const cellsOf = text => text.length + (text.match(wide) || []).length;

/* Shorten a name to a number of cells. */
function shorten(name, cells) {
	const how = meta.cut === "right" ? cutRight : fit;
	let most = cells, short = how(name, most);

	while (cellsOf(short) > cells)
		short = how(name, --most);
	return short;
}

function labelOf(box) {
	const room = Math.floor((box.w - 7) / cell);

	if (room < 1)
		return "";
	if (isMany(box))
		return cut("+" + box.count, room);
	const mark = room > 2 ? markOf(view.tree, box.n) : "";
	const name = shorten(nameOf(view.tree, box.n), room - mark.length);

	return name && mark + name;
}

function classOf(box) {
	const t = view.tree, f = t.frame[box.n];

	return [isMany(box) ? "many" : isNew(t, box.n) ? "new" : isGone(t, box.n) ? "gone" : "",
		isHit(box) ? "hit" : "", box.w > 3 ? "wide" : "",
		box.row < t.depth[view.zoom] ? "up" : "",
		!isMany(box) && isDimmed(f) ? "dim" : "",
		chosen && sameBox(box, chosen) ? "on" : ""].filter(Boolean).join(" ");
}

const sameBox = (a, b) => a.n === b.n && a.row === b.row && isMany(a) === isMany(b);

const titleOf = box => isMany(box)
	? box.count + " frames too narrow to show; click to see them"
	: nameOf(view.tree, box.n) + ", " + linesOfSide(view.tree, box.n, false)[0];

/* Set what depends on the selection. */
function markBox(rect) {
	const box = rect.box, isChosen = chosen && sameBox(box, chosen);

	rect.setAttribute("class", classOf(box));
	if (isChosen)
		rect.id = "chosen";
	else
		rect.removeAttribute("id");
	if (isChosen || box.w >= READ_OUT) {
		rect.setAttribute("role", "treeitem");
		rect.setAttribute("aria-label", titleOf(box));
		rect.setAttribute("aria-level", box.row + 1);
	}
}

function drawBox(box, into) {
	const y = rowY(box.row), label = labelOf(box);
	const rect = make("rect", into, {x: box.x.toFixed(2), y, width: Math.max(box.w, 0.1).toFixed(2),
		height: pitch - 1, fill: isMany(box) ? "url(#many)" : colorOf(view.tree, box.n)});

	rect.box = box;
	markBox(rect);
	if (label)
		make("text", into, {x: (box.x + 4).toFixed(2), y: y + baseline}).textContent = label;
	return label ? 2 : 1;
}

/* Draw the rows in the window. If they have too many boxes, omit the narrowest ones. */
function drawNow() {
	const first = Math.floor(offset / pitch), last = Math.ceil((offset + room) / pitch);
	const seen = allBoxes().filter(box => rowY(box.row) >= first * pitch && rowY(box.row) < last * pitch);
	const into = document.createDocumentFragment();
	let elements = 0;

	if (seen.length > MOST_ELEMENTS / 2)
		seen.sort((a, b) => b.w - a.w);
	for (const box of seen)
		if (elements < MOST_ELEMENTS)
			elements += drawBox(box, into);
	body.replaceChildren(into);
	body.setAttribute("transform", "translate(0," + -offset + ")");
	tellChosen();
}

function tellChosen() {
	if (chosen)
		area.setAttribute("aria-activedescendant", "chosen");
	else
		area.removeAttribute("aria-activedescendant");
}

/* Move the mark of the selection without drawing all boxes again, if its box is drawn. */
function drawChosen() {
	const before = $("chosen");
	const now = chosen && Array.prototype.find.call(body.children, e => e.box && sameBox(e.box, chosen));

	if (chosen && !now)
		return draw();
	for (const rect of [before, now])
		if (rect)
			markBox(rect);
	tellChosen();
}

/* Draw soon. Several calls before that draw once. */
let stale = false;

function draw() {
	if (!stale)
		queueMicrotask(() => { stale = false; drawNow(); });
	stale = true;
}

/* ---- size: the picture is as wide as the window; rows that do not fit scroll between head and foot */

function scroll(to) {
	const full = rows * pitch;

	offset = Math.max(0, Math.min(Math.round(to / pitch) * pitch, full - room));
	thumb.setAttribute("y", top + offset * room / full);
	thumb.setAttribute("height", room * room / full);
	thumb.classList.toggle("off", room >= full);
	draw();
}

const scrollToRoot = () => scroll(view.rootUp ? 0 : rows * pitch);

function scrollIntoView(box) {
	const y = rowY(box.row), to = Math.max(y + pitch - room, Math.min(offset, y));

	if (to !== offset)
		scroll(to);
}

/* Return the height of everything except the rows, in pixels. */
const around = () => top + 52;

function setRoom(pixels) {
	room = pixels;
	area.setAttribute("height", room);
	foot.setAttribute("transform", "translate(0," + (top + room) + ")");
}

/* Lay out for this width, in pixels. The row nearest to the root stays where it is. */
function arrange(now) {
	const fromRoot = view.rootUp ? offset : rows * pitch - room - offset;

	width = now;
	layout();
	setRoom(alone ? Math.min(rows, Math.max(3, Math.floor((windowHeight() - around()) / pitch))) * pitch
		: rows * pitch);
	svg.setAttribute("height", alone ? "100%" : around() + room);
	area.setAttribute("width", now);
	thumb.setAttribute("x", now + pad + 4);
	scroll(view.rootUp ? fromRoot : rows * pitch - room - fromRoot);
}

/*
 * How much the picture is enlarged. A phone shows a document without a viewport element, as SVG is,
 * as if its window were about 980 pixels wide, so everything would be tiny.
 */
let enlarged = 1;
const windowHeight = () => window.innerHeight / enlarged;

function enlarge() {
	enlarged = alone && screen.width < 700 ? Math.max(window.innerWidth / screen.width, 1) : 1;
	if (enlarged > 1)
		svg.setAttribute("viewBox", "0 0 " + window.innerWidth / enlarged + " " + windowHeight());
	else
		svg.removeAttribute("viewBox");
}

/* Write a text into a text node of an SVG text element, cut to a number of pixels. */
function putText(node, text, pixels) {
	const element = node.parentNode;

	node.nodeValue = text;
	for (let cells = text.length; cells > 1 && element.getComputedTextLength() > pixels;)
		node.nodeValue = cut(text, cells = Math.min(cells - 1, Math.floor(cells * pixels / element.getComputedTextLength())));
}

/* The lines of the head as they are in the file. */
const headLines = ["subtitle", "quality"].map($).filter(line => line && line.firstChild)
	.map(line => ({node: line.firstChild, text: line.textContent}));

function resize() {
	enlarge();
	if (alone)
		svg.setAttribute("height", "100%"); /* a higher picture would have a scroll bar, and be narrower */
	const now = Math.max(svg.getBoundingClientRect().width / enlarged - 2 * pad, 80);
	const forBar = placeBar(now);

	putText(heading.lastChild, heading.firstChild.textContent, now - forBar);
	for (const line of headLines)
		putText(line.node, line.text, now);
	arrange(now);
}

/* Prepare for printing: show all rows, fit the picture on the page, hide the controls. */
function toPaper() {
	svg.classList.add("print");
	placeBar(1120);
	putText(heading.lastChild, heading.firstChild.textContent, 1120);
	for (const line of headLines)
		putText(line.node, line.text, 1120);
	arrange(1120);
	setRoom(rows * pitch);
	offset = 0;
	drawNow();
	svg.setAttribute("viewBox", "0 0 " + (1120 + 2 * pad) + " " + (around() + room));
	svg.setAttribute("height", "100%");
}

function fromPaper() {
	svg.classList.remove("print");
	resize();
}
