/* This file derives trees from the tree: of one function, without one, and with the leaf functions first. */
const LOST = -1, MERGED = -2;

/* Build a tree from nodes in any order in which parents precede their children: renumber them in preorder. */
function preorder(parent, frame, own) {
	const n = parent.length, first = new Int32Array(n).fill(-1), next = new Int32Array(n).fill(-1);
	const place = new Int32Array(n), order = new Int32Array(n), todo = [0];
	let at = 0;

	for (let i = n - 1; i > 0; i--) {
		next[i] = first[parent[i]];
		first[parent[i]] = i;
	}
	while (todo.length) {
		const i = todo.pop();

		place[i] = at;
		order[at++] = i;
		if (next[i] >= 0)
			todo.push(next[i]);
		if (first[i] >= 0)
			todo.push(first[i]);
	}
	const t = {n, parent: new Int32Array(n), frame: new Int32Array(n), own: {}};
	const columns = new Map();

	for (let i = 0; i < n; i++) {
		t.parent[i] = i ? place[parent[order[i]]] : 0;
		t.frame[i] = frame[order[i]];
	}
	for (const name in own) {
		const from = own[name], to = columns.get(from) || new Float64Array(n);

		for (let i = 0; i < n && !columns.has(from); i++)
			to[i] = from[order[i]];
		columns.set(from, to);
		t.own[name] = to;
	}
	return finish(t);
}

/* Derive each column of t with `make`. Columns of t that are one array become one array. */
function columnsLike(t, make) {
	const made = new Map(), out = {};

	for (const name in t.own) {
		if (!made.has(t.own[name]))
			made.set(t.own[name], make(t.own[name]));
		out[name] = made.get(t.own[name]);
	}
	return out;
}

/*
 * Derive a tree. For each node n of t, up(n, new number of its parent) returns the new parent; LOST
 * removes n with its cost, MERGED adds its cost to its parent. Siblings with one frame become one.
 */
function derive(t, up) {
	const parent = [0], frame = [t.frame[0]], known = new Map();
	const place = new Int32Array(t.n);

	for (let n = 1; n < t.n; n++) {
		const below = place[t.parent[n]], to = up(n, below);

		if (to < 0) {
			place[n] = to === MERGED ? below : LOST;
			continue;
		}
		const key = to * frames.name.length + t.frame[n];
		let found = known.get(key);

		if (found === undefined) {
			known.set(key, found = parent.length);
			parent.push(to);
			frame.push(t.frame[n]);
		}
		place[n] = found;
	}
	const own = columnsLike(t, from => {
		const to = new Float64Array(parent.length);

		for (let n = 1; n < t.n; n++)
			if (place[n] >= 0)
				to[place[n]] += from[n];
		return to;
	});

	return preorder(parent, frame, own);
}

const steps = {
	f: {about: "only", up: (t, is) => (n, below) => below > 0 ? below : is(n) ? 0 : LOST},
	x: {about: "without", up: (t, is) => (n, below) => below < 0 || is(n) ? LOST : below},
	m: {about: "merged", up: (t, is) => (n, below) => below < 0 ? LOST : is(n) ? MERGED : below},
};

function applyStep(t, [kind, name]) {
	return derive(t, steps[kind].up(t, n => nameOf(t, n) === name));
}

/* Return the least share of the whole whose callers are followed. It is larger for large trees. */
const narrow = t => Math.max(1e-5, t.n / 1e10);

/*
 * Divide the stacks of one node of the inverted tree by their next caller. at: the node of t that
 * each stack has reached; leaf: the node in which it ends. Returns pairs of a frame and its stacks,
 * each of which has advanced to its next caller.
 */
function splitByFrame(t, {at, leaf}, counts) {
	const found = [], parts = {};

	for (let i = 0; i < at.length; i++)
		if (at[i] && counts[t.frame[at[i]]]++ === 0)
			found.push(t.frame[at[i]]);
	for (const f of found) {
		parts[f] = {at: new Int32Array(counts[f]), leaf: new Int32Array(counts[f])};
		counts[f] = 0;
	}
	for (let i = 0; i < at.length; i++) {
		const f = t.frame[at[i]], part = at[i] ? parts[f] : null;

		if (part) {
			part.at[counts[f]] = t.parent[at[i]];
			part.leaf[counts[f]++] = leaf[i];
		}
	}
	for (const f of found)
		counts[f] = 0;
	return found.map(f => [f, parts[f]]);
}

/* Invert a tree: leaf functions are the children of the root, and callers are the children of their callees. */
function invert(t) {
	const parent = [0], frame = [t.frame[0]], own = {}, names = Object.keys(t.own);
	const ofStacks = names.filter(name => !name.startsWith("self"));
	const ofLeaves = names.filter(name => name.startsWith("self"));
	const counts = new Int32Array(meta.frames), least = t.width[0] * narrow(t);

	for (const name of names)
		own[name] = [0];

	function child(up, f) {
		parent.push(up);
		frame.push(f);
		for (const name of names)
			own[name].push(0);
		return parent.length - 1;
	}

	/* Add the costs of stacks to a node: of all, or only of those that have reached their root. */
	function add(columns, node, list, all) {
		for (const name of columns) {
			const from = t.own[name];
			let sum = 0;

			for (let i = 0; i < list.at.length; i++)
				sum += all || !list.at[i] ? from[list.leaf[i]] : 0;
			own[name][node] += sum;
		}
	}

	function widthOf(list) {
		let sum = 0;

		for (const leaf of list.leaf)
			sum += t.own.width[leaf];
		return sum;
	}

	const ends = Int32Array.from({length: t.n - 1}, (_, i) => i + 1)
		.filter(n => ofStacks.some(name => t.own[name][n] > 0));
	const todo = [[0, {at: ends, leaf: ends}]];

	while (todo.length) {
		const [node, list] = todo.pop();

		add(ofStacks, node, list, false);
		for (const [f, part] of splitByFrame(t, list, counts)) {
			const c = child(node, f);

			if (!node)
				add(ofLeaves, c, part, true);
			if (widthOf(part) >= least)
				todo.push([c, part]);
			else
				add(ofStacks, c, part, true);
		}
	}
	return preorder(parent, frame, own);
}
