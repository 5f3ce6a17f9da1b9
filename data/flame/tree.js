/*
 * This file reads the tree from the elements `meta` and `tree`, which the SVG writer makes. Nodes
 * are in preorder: the subtree of node n consists of the nodes from n to end[n] - 1.
 */
const script = document.currentScript;
const svg = script && script.ownerSVGElement || document.documentElement;
const $ = id => svg.querySelector("#" + id);
const meta = JSON.parse($("meta").textContent);
const frames = {}; /* by frame: name, dso, file (texts), line, kind, bits, color */
const INLINED = 1, GROUP = 2, HIT = 4, NOISE = 8; /* bits */

async function unpack() {
	const text = atob($("tree").textContent), bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));

	return new Uint8Array(await new Response(plain).arrayBuffer());
}

/* Decode numbers that are stored with seven bits a byte, lowest first. Bit 7 marks all bytes but the last. */
function reader(bytes) {
	let at = 0;

	return {
		column(array) {
			let p = at;

			for (let i = 0; i < array.length; i++) {
				let byte = bytes[p++], v = byte & 127;

				for (let unit = 128; byte > 127; unit *= 128) {
					byte = bytes[p++];
					v += (byte & 127) * unit;
				}
				array[i] = v;
			}
			at = p;
			return array;
		},
		strings() {
			const end = this.column([0])[0] + at, text = new TextDecoder().decode(bytes.subarray(at, end));

			at = end;
			return text.split("\n");
		},
	};
}

function readFrames(from) {
	const strings = from.strings(), column = () => from.column(new Int32Array(meta.frames));

	frames.nameId = column();
	frames.name = Array.from(frames.nameId, i => strings[i]);
	frames.dso = Array.from(column(), i => strings[i]);
	frames.file = Array.from(column(), i => strings[i]);
	frames.line = column();
	frames.kind = column();
	frames.bits = column();
	frames.color = Array.from(column(), rgb => "#" + rgb.toString(16).padStart(6, "0"));
}

function readTree(from) {
	const n = meta.nodes, parent = new Int32Array(n), path = new Int32Array(n + 1), own = {};
	let depth = 0;
	const ups = from.column(new Int32Array(n)), frame = from.column(new Int32Array(n));

	for (let i = 1; i < n; i++) {
		depth += 1 - ups[i];
		parent[i] = path[depth - 1];
		path[depth] = i;
	}
	for (const name of meta.columns)
		own[name] = from.column(new Float64Array(n));
	for (let side = 0; side < meta.sides; side++) {
		own["self" + side] ||= own["weight" + side];
		own["samples" + side] ||= own["weight" + side];
		own["selfSamples" + side] ||= own["samples" + side];
	}
	own.width ||= own.weight0;
	const {lead, ...costs} = own;

	return finish({n, parent, frame, lead, own: costs});
}

/* Compute depths, ends of subtrees and sums over subtrees from the parents and self costs. */
function finish(t) {
	const sums = new Map();

	t.depth = new Int32Array(t.n);
	t.end = new Int32Array(t.n);
	t.kids = new Map();
	for (let i = 1; i < t.n; i++)
		t.depth[i] = t.depth[t.parent[i]] + 1;
	for (let i = t.n - 1; i >= 0; i--) {
		t.end[i] ||= i + 1;
		if (i)
			t.end[t.parent[i]] = Math.max(t.end[t.parent[i]], t.end[i]);
	}
	t.sum = name => {
		const own = t.own[name];

		if (!sums.has(own)) {
			const sum = own.slice();

			for (let i = t.n - 1; i > 0; i--)
				sum[t.parent[i]] += sum[i];
			sums.set(own, sum);
		}
		return sums.get(own);
	};
	t.width = t.sum("width");
	t.total = [], t.self = [];
	for (let side = 0; side < meta.sides; side++) {
		t.total.push(t.sum("weight" + side));
		t.self.push(t.own["self" + side]);
	}
	return t;
}

const nameOf = (t, n) => frames.name[t.frame[n]];
const isLeaf = (t, n) => t.end[n] === n + 1;

/*
 * Compare siblings. `weight` puts the widest first. `name` sorts them as sort(1) sorts the lines of
 * folded stacks, as flamegraph.pl and inferno do.
 */
const orders = {
	weight: (t, a, b) => t.width[b] - t.width[a] || orders.name(t, a, b),
	name: (t, a, b) => {
		const x = nameOf(t, a) + (isLeaf(t, a) ? " " : ";"), y = nameOf(t, b) + (isLeaf(t, b) ? " " : ";");

		return x < y ? -1 : x > y ? 1 : a - b;
	},
};

/* A flame chart: the nodes of the file are in this order. */
if (meta.order === "time")
	orders.time = (t, a, b) => a - b;

/* Return the children of n in an order. The first call sorts them. */
function kidsOf(t, n, order) {
	const key = order + n;
	let kids = t.kids.get(key);

	if (!kids) {
		kids = [];
		for (let c = n + 1; c < t.end[n]; c = t.end[c])
			kids.push(c);
		kids.sort((a, b) => orders[order](t, a, b));
		t.kids.set(key, kids);
	}
	return kids;
}

function ancestors(t, n) {
	const path = [n];

	while (n)
		path.push(n = t.parent[n]);
	return path.reverse();
}

const stackOf = (t, n) => ancestors(t, n).slice(1).map(i => nameOf(t, i)).join(";");

/*
 * Hash the names from the root to each node, in two halves. The address of the page identifies a
 * node by this hash, so a link also works with another recording of the same program.
 */
function hashText(text, hash) {
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return Math.imul(hash ^ hash >>> 15, 0x85ebca6b);
}

function pathHashes(t) {
	if (t.hashes)
		return t.hashes;
	const low = frames.name.map((s, f) => hashText(s, 0x811c9dc5 + (frames.bits[f] & INLINED)));
	const high = frames.name.map(s => hashText(s, 0x2545f491));
	const a = new Uint32Array(t.n), b = new Uint32Array(t.n);

	for (let i = 1; i < t.n; i++) {
		a[i] = Math.imul(a[t.parent[i]] ^ low[t.frame[i]], 0x9e3779b1) ^ a[t.parent[i]] >>> 13;
		b[i] = Math.imul(b[t.parent[i]] ^ high[t.frame[i]], 0xc2b2ae3d) ^ b[t.parent[i]] >>> 11;
	}
	return t.hashes = [a, b];
}

function hashOf(t, n) {
	const hex = v => v.toString(16).padStart(8, "0");

	return hex(pathHashes(t)[0][n]) + hex(pathHashes(t)[1][n]);
}

/* Return the node with this hash: the widest of several, or 0 if there is none. */
function nodeOfHash(t, text) {
	const [a, b] = pathHashes(t), x = parseInt(text.slice(0, 8), 16), y = parseInt(text.slice(8), 16);
	let found = 0;

	for (let i = 1; i < t.n; i++)
		if (a[i] === x && b[i] === y && (!found || t.width[i] > t.width[found]))
			found = i;
	return found;
}
