/*
 * This file searches. It tests a regular expression on each function once, and then adds up the
 * whole tree, drawn or not. A stack with several matching frames counts once.
 */
const SLICE_MS = 50; /* how long a search may run before the page handles events */
let pattern = null, hits = new Uint8Array(meta.frames), searches = 0;
let matches = null; /* result of matchesOf() for the shown tree */

/* Smart case: case matters only if the pattern has an upper-case letter. */
function compile(text) {
	return new RegExp(text, (/\p{Lu}/u.test(text.replace(/\\./g, "")) ? "" : "i") + "u");
}

const escaped = text => text.replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&");
const isFunction = f => !(frames.bits[f] & GROUP);

/*
 * Add up the matches in tree t. before[n]: number of matching nodes below n. width, total: sums of
 * the stacks with a match, in widths and for each side.
 */
function matchesOf(t) {
	const before = new Int32Array(t.n + 1), sums = {width: 0, total: t.total.map(() => 0)};
	let free = 0;

	for (let n = 0; n < t.n; n++) {
		const hit = hits[t.frame[n]];

		before[n + 1] = before[n] + hit;
		if (!hit || n < free)
			continue;
		sums.width += t.width[n];
		t.total.forEach((total, side) => sums.total[side] += total[n]);
		free = t.end[n];
	}
	return {t, before, ...sums};
}

function countMatches() {
	if (!matches || matches.t !== view.tree)
		matches = hits.includes(1) ? matchesOf(view.tree) : {t: view.tree, width: 0};
	return matches;
}

/* Return the width of the stacks with a match in the subtree of a node. */
function matchedUnder(t, root) {
	let sum = 0;

	if (ancestors(t, root).some(n => hits[t.frame[n]]))
		return t.width[root];
	for (let n = root; n < t.end[root];) {
		const hit = hits[t.frame[n]];

		sum += hit ? t.width[n] : 0;
		n = hit ? t.end[n] : n + 1;
	}
	return sum;
}

/* Return true if a box matches. A box of several siblings matches if one of them or of their callees does. */
function isHit(box) {
	const t = view.tree;

	if (!pattern && !meta.hits)
		return false;
	if (!isMany(box))
		return hits[t.frame[box.n]] === 1;
	const m = countMatches(), kids = kidsOf(t, t.parent[box.n], view.order);

	if (!m.before)
		return false;
	for (let i = box.first; i < box.last; i++)
		if (m.before[t.end[kids[i]]] > m.before[kids[i]])
			return true;
	return false;
}

function showMatched() {
	const t = view.tree, m = countMatches();
	let text = "";

	if (!m.before)
		text = pattern ? "no match" : "";
	else if (two)
		text = "matched " + m.total.map((w, side) => percent(w, t.total[side][0])).join(" \u2192 ");
	else
		text = "matched " + percent(m.width, t.width[0]);
	if (m.before && view.zoom && !two)
		text += ", " + percent(matchedUnder(t, view.zoom), t.width[view.zoom]) + " of zoom";
	$("matched").textContent = text;
}

function showSearch() {
	matches = null;
	showMatched();
	draw();
	showFunctions();
}

/* Test the pattern on the functions from number `from` on, in slices, so that a slow pattern does not block the page. */
function searchFrom(from, mine) {
	const until = performance.now() + SLICE_MS;
	let f = from;

	if (mine !== searches)
		return;
	for (; f < meta.frames && (f & 63 || performance.now() < until); f++)
		hits[f] = pattern !== null && isFunction(f) && pattern.test(frames.name[f]) ? 1 : 0;
	if (f < meta.frames)
		setTimeout(() => searchFrom(f, mine));
	else
		showSearch();
}

function search(text) {
	pattern = null;
	meta.hits = false;
	$("search").value = text;
	$("search").classList.remove("bad");
	if (text) {
		try {
			pattern = compile(text);
		} catch (e) {
			$("search").classList.add("bad");
		}
	}
	searchFrom(0, ++searches);
}

/*
 * Select the next matching box, from left to right, then row by row. If no match is wide enough to be
 * drawn, zoom to the first one.
 */
function nextMatch(step) {
	const found = allBoxes().filter(isHit).sort((a, b) => a.x - b.x || a.row - b.row);
	const at = chosen ? found.findIndex(box => sameBox(box, chosen)) : -1;

	if (!found.length && countMatches().before)
		zoomTo(countMatches().before.indexOf(1) - 1);
	else if (found.length)
		choose(found[(at < 0 && step < 0 ? found.length - 1 : at + step + found.length) % found.length]);
}
