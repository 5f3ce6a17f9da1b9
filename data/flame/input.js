/* This file handles keys and the pointer, and starts the page. */

const above = n => view.tree.parent[n];

/* Select the neighbour of the selected box: dx boxes to the right, or dy rows down on the screen. */
function move(dx, dy) {
	const row = chosen ? chosen.row : view.tree.depth[view.zoom], line = boxes[row];
	const at = line.findIndex(box => chosen && sameBox(box, chosen));

	if (at < 0)
		return choose(line[0]);
	if (dx)
		return choose(line[at + dx] || line[at]);
	const to = boxes[row + (view.rootUp ? dy : -dy)] || [], here = line[at];
	const near = to.filter(box => box.x < here.x + here.w && box.x + box.w > here.x);
	const mid = here.x + here.w / 2;

	choose(near.find(box => box.x + box.w > mid) || near[near.length - 1] || here);
}

const page = () => Math.max(room - 2 * pitch, pitch);
const keys = {
	"/": () => $("search").focus(), Escape: escape,
	Enter: () => zoomToBox(chosen),
	Backspace: () => zoomTo(view.part ? view.zoom : above(view.zoom)),
	ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0),
	ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
	h: () => move(-1, 0), l: () => move(1, 0), k: () => move(0, -1), j: () => move(0, 1),
	PageUp: () => scroll(offset - page()), PageDown: () => scroll(offset + page()),
	Home: () => scroll(0), End: () => scroll(rows * pitch),
	n: () => nextMatch(1), N: () => nextMatch(-1),
	i: flip, o: changeOrder, v: () => change(() => state.inverted = !state.inverted),
	f: () => addStep("f"), x: () => addStep("x"), m: () => addStep("m"), u: () => history.back(),
	t: () => openPanel("functions", fillFunctions), "?": () => openPanel("help", fillHelp),
	c: () => { if (chosen || under) copy(nameOf(view.tree, (chosen || under).n)); },
	C: () => { if (chosen || under) copy(stackOf(view.tree, (chosen || under).n)); },
};

const help = [
	["arrows, h j k l", "select a frame"],
	["Enter, click", "zoom into it"],
	["Backspace", "zoom out to its caller"],
	["Esc", "clear the search, the selection, then the zoom"],
	["/  Ctrl-F", "search; a regular expression, in which upper case counts if there is any"],
	["n  N", "next and previous match"],
	["f, Shift-click", "show only the selected function: all its places together"],
	["x", "remove the stacks with the selected function"],
	["m", "merge the selected function into its callers"],
	["u", "undo, as the browser's back button does"],
	["o", "order of siblings: by weight, by name; in a flame chart also by time"],
	["i", "root at the top or at the bottom"],
	["v", "leaf functions first, with their callers, or the root first"],
	["t", "table of functions, of those that match if there is a search"],
	["c  C", "copy the name, or the whole stack, of the selected frame"],
];

html("input", barBox, {id: "search", type: "search", placeholder: "Search (regex)", spellcheck: false,
	ariaLabel: "Search functions by a regular expression",
	oninput: e => { search(e.target.value); remember(false); },
	onkeydown: e => {
		if (e.key === "Enter" || e.key === "Escape")
			e.target.blur();
		if (e.key === "Escape")
			escape();
		e.stopPropagation();
	}});
for (const [id, text, title, onclick] of [
	["unzoom", "Reset zoom", "show everything", reset],
	["order", "Order", "order of siblings: by weight, by name (o)", changeOrder],
	["flip", "Flip", "root at the top or at the bottom (i)", flip],
	["invert", "Invert", "leaf functions first (v)", keys.v],
	["functions", "Table", "table of functions (t)", keys.t],
	["help", "?", "all keys", keys["?"]]])
	html("button", barBox, {id, textContent: text, title, onclick});

/* ---- the pointer */
let tapped = null; /* the box that was touched last; a second touch zooms into it */

area.addEventListener("click", e => {
	const box = e.target.box;

	if (!box)
		return;
	if (e.pointerType === "touch" && !(tapped && sameBox(box, tapped))) {
		tapped = box;
		choose(box);
		showTip(box, e.clientX, e.clientY);
		return;
	}
	hideTip();
	under = box;
	if (e.shiftKey)
		addStep("f");
	else
		zoomToBox(box);
	under = null;
});
area.addEventListener("pointermove", e => {
	if (e.pointerType === "touch")
		return;
	under = e.target.box || null;
	showDetails();
	if (under)
		showTip(under, e.clientX, e.clientY);
	else
		hideTip();
});
area.addEventListener("pointerleave", () => { under = null; hideTip(); showDetails(); });

window.addEventListener("keydown", e => {
	const find = (e.ctrlKey || e.metaKey) && e.key === "f";

	if (!find && (e.ctrlKey || e.metaKey || e.altKey || e.target.closest && e.target.closest("button")))
		return;
	const key = find ? "/" : e.key;
	if (Object.hasOwn(keys, key)) {
		e.preventDefault();
		keys[key]();
	}
});
window.addEventListener("wheel", e => {
	if (room >= rows * pitch || e.ctrlKey || e.target.closest && e.target.closest("#panel"))
		return;
	e.preventDefault();
	scroll(offset + Math.sign(e.deltaY) * Math.max(Math.abs(e.deltaY) * (e.deltaMode ? pitch : 1), pitch));
}, {passive: false});

/* Scroll while the pointer is down: the thumb by any pointer, the rows by touch. each: rows' pixels for each pixel. */
function drag(e, each) {
	const from = offset, y = e.clientY, move = m => scroll(from + each * (m.clientY - y) / enlarged);
	const stop = () => {
		window.removeEventListener("pointermove", move);
		window.removeEventListener("pointerup", stop);
		window.removeEventListener("pointercancel", stop);
	};

	window.addEventListener("pointermove", move);
	window.addEventListener("pointerup", stop);
	window.addEventListener("pointercancel", stop);
}

thumb.addEventListener("pointerdown", e => { e.preventDefault(); drag(e, rows * pitch / room); });
area.addEventListener("pointerdown", e => { if (e.pointerType === "touch") drag(e, -1); });

/* ---- start: the static picture of the file stays visible until the tree is unpacked */
function start(bytes) {
	const from = reader(bytes), probe = make("text", body, {});

	readFrames(from);
	view.tree = whole = readTree(from);
	probe.textContent = "m".repeat(100);
	cell = +meta.cell || probe.getComputedTextLength() / 100 || cell;
	probe.remove();
	hits = frames.bits.map(bits => bits & HIT ? 1 : 0);
	meta.hits = hits.includes(1);
	svg.setAttribute("width", "100%");
	svg.setAttribute("role", "group");
	for (const [k, v] of [["role", "tree"], ["tabindex", 0], ["aria-label", "frames"]])
		area.setAttribute(k, v);
	resize();
	recall();
	if (meta.root && !location.hash)
		zoomTo(meta.root);
	window.addEventListener("resize", resize);
	window.addEventListener("beforeprint", toPaper);
	window.addEventListener("afterprint", fromPaper);
	window.addEventListener("hashchange", recall);
	window.addEventListener("popstate", recall);
	svg.classList.add("live");
}

unpack().then(start);
