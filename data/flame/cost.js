/* This file formats costs and shares as text, and lists the facts about a node. */
const two = meta.sides > 1;

const commas = v => Math.round(v).toString().replace(/\B(?=(\d{3})+$)/g, ",");
const percent = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(2) + "%";
const points = (now, before) => (now > before ? "+" : "") + (100 * (now - before)).toFixed(2);

const prefixes = {
	bytes: [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"], [1, "bytes"]],
	ns: [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]],
};
const unitsOfTime = {ns: 1, us: 1e3, ms: 1e6, s: 1e9};

/* Format a weight with three digits and a prefix: 17.4 s, 1.23 GiB. Units other than bytes and time get no prefix. */
function measure(weight, unit) {
	const list = unit === "bytes" ? prefixes.bytes : unitsOfTime[unit] ? prefixes.ns : null;
	const v = weight * (unitsOfTime[unit] || 1);

	if (unit === "millionths")
		return (weight / 1e6).toLocaleString("en-US") + " weight";
	if (!list)
		return commas(weight) + " " + unit;
	const [one, name] = list.find(([least]) => v >= least) || list[list.length - 1];

	return (one === 1 ? commas(v) : (v / one).toPrecision(3).replace(/e.*/, "")) + " " + name;
}

/* Return true if the weights are counts of samples, as in text formats that name no unit. */
const counts = m => !m.unit || m.unit === "samples";

/* Format a cost as "17.4 s in 12 samples". Omit the number of samples if it is unknown, or equal to the weight. */
function cost(side, weight, samples) {
	const m = meta.measures[side], factor = +meta.factor || 1;
	const many = Math.round((counts(m) ? weight : samples) * factor);

	if (m.summed && !counts(m))
		return measure(weight * factor, m.unit);
	const counted = commas(many) + (many === 1 ? " sample" : " samples");

	return counts(m) ? counted : measure(weight, m.unit) + " in " + counted;
}

/* Format the cost of node n on one side: its self cost if `own`, otherwise its total cost. */
function costOf(t, n, side, own) {
	const samples = own ? t.own["selfSamples" + side] : t.sum("samples" + side);

	return cost(side, (own ? t.self : t.total)[side][n], samples[n]);
}

const shareOf = (t, n, side, own) => {
	const whole = t.total[side][0];

	return whole ? (own ? t.self : t.total)[side][n] / whole : 0;
};
const isNew = (t, n) => two && t.total[0][n] === 0;
const isGone = (t, n) => two && t.total[1][n] === 0;

/* Return how much the share of node n has changed, in millionths of the whole; 0 if that may be noise. */
const changeOf = (t, n) => frames.bits[t.frame[n]] & NOISE ? 0
	: 1e6 * (shareOf(t, n, 1, !meta.totals) - shareOf(t, n, 0, !meta.totals));
const MARKED = 1000; /* millionths; smaller changes get no mark */

/* Return the sign that precedes the label of a changed node: "+ ", "- " or nothing. */
const markOf = (t, n) => !two || Math.abs(changeOf(t, n)) < MARKED ? "" : changeOf(t, n) > 0 ? "+ " : "- ";

/* With --colordiffusion: the wider, the redder, as cr_svg_diffusion() has it. */
function diffusion(t, n) {
	const part = Math.sqrt(t.width[n] / (t.width[0] || 1)) * 700 / 1024, low = Math.round(250 * (1 - part));

	return "rgb(" + [Math.round(250 + 5 * part), low, low].join(",") + ")";
}

function colorOf(t, n) {
	if (meta.diffusion)
		return diffusion(t, n);
	if (!two)
		return frames.color[t.frame[n]];
	const half = meta.colors.length >> 1;
	const change = changeOf(t, n), part = Math.sign(change) * Math.sqrt(Math.min(Math.abs(change) / meta.cap, 1));

	return "#" + meta.colors[half + Math.trunc(part * half)].toString(16).padStart(6, "0");
}

function placeOf(f) {
	const file = frames.file[f].split("/").slice(-2).join("/");

	return [frames.bits[f] & INLINED ? "inlined" : "", frames.dso[f],
		file && frames.line[f] ? file + ":" + frames.line[f] : file].filter(Boolean).join(" \u00b7 ");
}

/* Return lines of text about the cost of node n: its self cost if `own`, otherwise its total cost. */
function linesOfSide(t, n, own) {
	const what = own ? "self" : "total", share = side => shareOf(t, n, side, own);

	if (!two)
		return [what + " " + costOf(t, n, 0, own) + ", " + percent(share(0), 1)];
	const before = costOf(t, n, 0, own) + ", " + percent(share(0), 1);
	const now = costOf(t, n, 1, own) + ", " + percent(share(1), 1);

	if (isNew(t, n))
		return [what + " " + now + "; new"];
	if (isGone(t, n))
		return [what + " was " + before + "; gone"];
	return [what + " " + now + "; was " + before + "; " + points(share(1), share(0)) + " points"];
}

/* Return lines of text about node n: its name, its costs, its shares of the zoomed node and of its parent, its place. */
function factsOf(t, n, zoom) {
	const of = t.parent[n], parts = [], place = placeOf(t.frame[n]);

	if (zoom && zoom !== n)
		parts.push(percent(t.width[n], t.width[zoom]) + " of zoom");
	if (n)
		parts.push(percent(t.width[n], t.width[of]) + " of " + nameOf(t, of));
	return [nameOf(t, n), ...linesOfSide(t, n, false), ...linesOfSide(t, n, true), parts.join(", "), place]
		.filter(Boolean);
}
