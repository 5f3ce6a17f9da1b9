/*
 * The picture: which boxes there are, and those in the window as elements. Only these exist, so
 * that a large tree is as fast as a small one.
 */
const pitch = 18, pad = 16;
const NARROWEST = 0.5;      /* pixels; narrower siblings are drawn as one box */
const MOST_ELEMENTS = 3800;
const READ_OUT = 8;         /* pixels; narrower boxes have a description only when selected */
const area = $("frames"), body = $("rows"), head = $("head"), foot = $("foot"), heading = $("title");
const alone = svg === document.documentElement;
const top = +area.getAttribute("y");

/* What is shown: the tree, the node over the full width, and if not null, which of its children. */
const view = {tree: null, zoom: 0, part: null, order: meta.order, rootUp: area.dataset.up === "1"};
let boxes = [];               /* by row, from left to right: {n, last, count, x, w, row} */
let width = 0, rows = 1;      /* of the picture: pixels, number of rows */
let room = 0, offset = 0;     /* pixels of rows that there is room for; scrolled past */
let chosen = null;            /* the box that was selected with the keyboard */
let cell = 7.2;               /* width of a character */

function make(tag, parent, attributes) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const k in attributes)
		e.setAttribute(k, attributes[k]);
	parent.appendChild(e);
	return e;
}

/* ---- layout */

/* Narrow siblings are one box. It is seen at least above the zoomed node, so that all can be reached. */
function layoutKids(box, scale, below) {
	const t = view.tree, kids = kidsOf(t, box.n, view.order);
	const part = box.n === view.zoom && view.part || [0, kids.length];
	let x = box.x, run = null;

	const finishRun = () => {
		if (run && (run.w >= NARROWEST || box.n === view.zoom))
			below.push({...run, w: Math.max(run.w, NARROWEST)});
		run = null;
	};

	for (let i = part[0]; i < part[1]; i++) {
		const n = kids[i], w = t.width[n] * scale;

		if (w >= NARROWEST) {
			finishRun();
			below.push({n, count: 1, x, w, row: box.row + 1});
		} else if (w > 0) {
			run ||= {n, count: 0, first: i, x, w: 0, row: box.row + 1};
			run.count++;
			run.last = i + 1;
			run.w += w;
		}
		x += w;
	}
	finishRun();
}

/* The width that the zoomed node is drawn with: its own, or that of the chosen children. */
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

function labelOf(box) {
	const room = Math.floor((box.w - 7) / cell);

	if (room < 1)
		return "";
	if (isMany(box))
		return cut("+" + box.count, room);
	const mark = room > 2 ? markOf(view.tree, box.n) : "", name = fit(nameOf(view.tree, box.n), room - mark.length);

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

function drawBox(box, into) {
	const y = rowY(box.row), label = labelOf(box);
	const rect = make("rect", into, {x: box.x.toFixed(2), y, width: Math.max(box.w, 0.1).toFixed(2),
		height: pitch - 1, class: classOf(box),
		fill: isMany(box) ? "url(#many)" : colorOf(view.tree, box.n)});
	const isChosen = chosen && sameBox(box, chosen);

	rect.box = box;
	if (isChosen)
		rect.id = "chosen";
	if (isChosen || box.w >= READ_OUT) {
		rect.setAttribute("role", "treeitem");
		rect.setAttribute("aria-label", titleOf(box));
		rect.setAttribute("aria-level", box.row + 1);
	}
	if (label)
		make("text", into, {x: (box.x + 4).toFixed(2), y: y + 13}).textContent = label;
	return label ? 2 : 1;
}

/* Draw the rows in the window. If that is too much, the narrow boxes are left out. */
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
	if (chosen)
		area.setAttribute("aria-activedescendant", "chosen");
	else
		area.removeAttribute("aria-activedescendant");
}

/* Draw soon: once, however many things change before. */
let stale = false;

function draw() {
	if (!stale)
		queueMicrotask(() => { stale = false; drawNow(); });
	stale = true;
}

/* ---- size: as wide as the window; where that is too low, the rows scroll between head and foot */

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
	const y = rowY(box.row);

	scroll(Math.max(y + pitch - room, Math.min(offset, y)));
}

/* How high everything but the rows is. */
const around = () => top + 52;

function setRoom(pixels) {
	room = pixels;
	area.setAttribute("height", room);
	foot.setAttribute("transform", "translate(0," + (top + room) + ")");
}

/* Lay out again, for this width; the same row stays at the root's end of the window. */
function arrange(now) {
	const fromRoot = view.rootUp ? offset : rows * pitch - room - offset;

	width = now;
	layout();
	setRoom(alone ? Math.min(rows, Math.max(3, Math.floor((window.innerHeight - around()) / pitch))) * pitch
		: rows * pitch);
	svg.setAttribute("height", alone ? "100%" : around() + room);
	area.setAttribute("width", now);
	thumb.setAttribute("x", now + pad + 4);
	scroll(view.rootUp ? fromRoot : rows * pitch - room - fromRoot);
}

function resize() {
	const now = Math.max(svg.getBoundingClientRect().width - 2 * pad, 80);
	const forBar = placeBar(now);

	heading.lastChild.nodeValue = cut(heading.firstChild.textContent, Math.floor((now - forBar - 10) / 10));
	arrange(now);
}

/* On paper: all rows, the whole picture on the page, nothing to click on. */
function toPaper() {
	svg.classList.add("print");
	arrange(1120);
	setRoom(rows * pitch);
	offset = 0;
	drawNow();
	svg.setAttribute("viewBox", "0 0 " + (1120 + 2 * pad) + " " + (around() + room));
	svg.setAttribute("height", "100%");
}

function fromPaper() {
	svg.classList.remove("print");
	svg.removeAttribute("viewBox");
	resize();
}
