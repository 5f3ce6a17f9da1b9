/*
 * This file keeps the state in the address of the page: steps, order, zoom and search. Each step and
 * each zoom adds an entry to the history, so the browser's back button undoes it.
 */
const state = {steps: [], inverted: false};
const trees = new Map(); /* derived trees by the JSON of their steps */
const startsUp = view.rootUp;
let whole; /* the tree of the file */

function currentTree() {
	let t = whole, key = "";

	for (const step of [...state.steps, ...state.inverted ? ["invert"] : []]) {
		key = JSON.stringify([key, step]);
		if (!trees.has(key))
			trees.set(key, step === "invert" ? invert(t) : applyStep(t, step));
		t = trees.get(key);
	}
	return t;
}

/* ---- the address */

function address() {
	const parts = state.steps.map(([kind, name]) => kind + "=" + encodeURIComponent(name));

	if (state.inverted)
		parts.push("v=1");
	if (view.zoom)
		parts.push("z=" + hashOf(view.tree, view.zoom));
	if (view.part)
		parts.push("p=" + view.part.join("-"));
	if ($("search").value)
		parts.push("s=" + encodeURIComponent($("search").value));
	if (view.order !== meta.order)
		parts.push("o=" + view.order);
	if (view.rootUp !== startsUp)
		parts.push("i=" + +view.rootUp);
	return "#" + parts.join("&");
}

function remember(isStep) {
	if (address() === (location.hash || "#"))
		return;
	try {
		history[isStep ? "pushState" : "replaceState"](null, "", address());
	} catch (e) {
		/* A frame without an address of its own has no history. */
	}
}

/*
 * Find the node that the x= and y= of an older link mean. In files of cresset, x is the left edge as
 * a weight, with siblings by weight, and y is the row. In files of flamegraph.pl, both are pixels of
 * a picture that is 1200 wide, with siblings by name and rows of 16 pixels.
 */
function nodeAt(x, y) {
	const t = whole, isOurs = y <= Math.max(...boxes.keys());
	const order = isOurs ? "weight" : "name";
	const place = isOurs ? x : (x - 10) / 1180 * t.width[0];
	const depth = isOurs ? y : rows - 1 - Math.round((y - 37) / 16);
	const slack = isOurs ? 0 : t.width[0] / 11800;
	let n = 0, at = 0;

	for (let d = 0; d < depth; d++) {
		const next = kidsOf(t, n, order).find(c => {
			const here = at + t.width[c] > place + slack;

			at += here ? 0 : t.width[c];
			return here;
		});

		if (next === undefined)
			return n;
		n = next;
	}
	return n;
}

function setPart(text) {
	const [from, to] = (text || "").split("-").map(Number), n = kidsOf(view.tree, view.zoom, view.order).length;

	view.part = from >= 0 && from < to && to <= n ? [from, to] : null;
}

function recall() {
	const now = new URLSearchParams(location.hash.slice(1));

	state.steps = [...now].filter(([key]) => Object.hasOwn(steps, key));
	state.inverted = now.get("v") === "1";
	view.order = Object.hasOwn(orders, now.get("o")) ? now.get("o") : meta.order;
	view.rootUp = now.has("i") ? now.get("i") === "1" : startsUp;
	view.tree = currentTree();
	view.zoom = now.has("z") ? nodeOfHash(view.tree, now.get("z")) : 0;
	if (!now.has("z") && now.has("x") && now.has("y") && view.tree === whole)
		view.zoom = nodeAt(+now.get("x"), +now.get("y"));
	setPart(now.get("p"));
	if ((now.get("s") || "") !== $("search").value)
		search(now.get("s") || "");
	show();
}

/* ---- what the user does */

/* Draw everything anew, after the tree or the zoom has changed. */
function show() {
	chosen = under = null;
	matches = null;
	hideTip();
	$("unzoom").disabled = !view.zoom && !view.part && !state.steps.length && !state.inverted;
	arrange(width);
	scrollToRoot();
	showSteps();
	showMatched();
	showLegend();
	showFunctions();
	showDetails();
}

function zoomTo(n, part) {
	view.zoom = n;
	view.part = part || null;
	show();
	remember(true);
}

/* Zoom to a box. A box of several siblings becomes as wide as the picture, so that each gets a box. */
function zoomToBox(box) {
	if (box && isMany(box))
		zoomTo(view.tree.parent[box.n], [box.first, box.last]);
	else if (box)
		zoomTo(box.n);
}

function change(how) {
	how();
	view.tree = currentTree();
	view.zoom = 0;
	view.part = null;
	show();
	remember(true);
}

function addStep(kind) {
	const box = chosen || under;

	if (box && box.n && !isMany(box))
		change(() => state.steps.push([kind, nameOf(view.tree, box.n)]));
}

function reset() {
	change(() => {
		state.steps = [];
		state.inverted = false;
	});
}

/* Change the order of siblings. A range of children has other members in the new order, so forget it. */
function changeOrder() {
	const names = Object.keys(orders);

	view.order = names[(names.indexOf(view.order) + 1) % names.length];
	view.part = null;
	show();
	remember(false);
}

function flip() {
	view.rootUp = !view.rootUp;
	scrollToRoot();
	remember(false);
}

function escape() {
	if ($("search").value) {
		search("");
		remember(false);
	} else if (chosen) {
		choose(null);
	} else if (view.zoom || view.part) {
		zoomTo(0);
	} else if (state.steps.length || state.inverted) {
		reset();
	}
}
