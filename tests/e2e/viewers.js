/*
 * Opens exported profiles in programs that other people view them with: speedscope and
 * d3-flame-graph in Chromium, DuckDB in node. Prints the costs that they show, for the case to
 * compare. Arguments: what to do, then
 *
 *	speedscope BROWSER DIRECTORY FILE     "TOTAL SELF NAME" of each function of the table
 *	d3 BROWSER DIRECTORY FILE             folded stacks
 *	html BROWSER DIRECTORY FILE [AXE]     what is wrong with the page
 *	duckdb FILE                           folded stacks of a CSV file of samples
 *	sql FILES QUERY                       rows of a query in DuckDB; the table "samples" is CSV files
 *
 * DIRECTORY is for the browser's own files. CRESSET_NPM names the directory of the packages.
 */
const {open} = require("./chromium.js");
const fs = require("fs"), path = require("path");
const [kind, ...args] = process.argv.slice(2);
const packages = path.join(process.env.CRESSET_NPM || "", "node_modules");
const url = file => "file://" + encodeURI(path.resolve(file));

async function visit(page, address) {
	await page.send("Page.navigate", {url: address});
	await page.until("document.readyState === 'complete'");
}

/* A script hands the file to speedscope. The screen is so high that all rows are drawn. */
async function speedscope([browser, directory, file]) {
	const page = await open(browser, directory, 1280, 30000);
	const script = file + ".js", release = path.join(packages, "speedscope/dist/release/index.html");
	const rows = "[...document.querySelectorAll('table tr')].slice(1)";

	fs.writeFileSync(script, `speedscope.loadFileFromBase64('x', '${fs.readFileSync(file, "base64")}')`);
	await visit(page, `${url(release)}#localProfilePath=${encodeURI(path.resolve(script))}&view=sandwich`);
	await page.until(rows + ".length > 0");
	for (const [total, self, name] of await page.eval(rows + ".map(r => [...r.cells].map(c => c.textContent))"))
		console.log([total, self].map(s => s.replace(/ .*|,/g, "")).join(" "), name);
	return page;
}

async function d3([browser, directory, file]) {
	const page = await open(browser, directory);
	const library = name => `<script src="${url(path.join(packages, name))}"></script>`;

	fs.writeFileSync(file + ".html", `<!DOCTYPE html><meta charset="utf-8"><div id="chart"></div>
		${library("d3/dist/d3.min.js")}${library("d3-flame-graph/dist/d3-flamegraph.min.js")}
		<script>const data = ${fs.readFileSync(file, "utf8").replace(/</g, "\\u003c")};
		d3.select("#chart").datum(data).call(flamegraph().width(1000).minFrameSize(0));</script>`);
	await visit(page, url(file + ".html"));
	await page.until("document.querySelectorAll('#chart g.frame').length > 1");
	console.log(await page.eval(`d3.select("#chart g").datum().descendants().map(n => {
		const self = n.value - (n.children || []).reduce((sum, child) => sum + child.value, 0);
		return self > 0 ? n.ancestors().slice(0, -1).map(a => a.data.name).reverse().join(";") + " " + self : "";
	}).filter(line => line).join("\\n")`));
	return page;
}

/* A page must be quiet, load nothing and, where axe-core is, be usable by everybody. */
async function html([browser, directory, file, axe]) {
	const page = await open(browser, directory);

	await visit(page, url(file));
	page.noise.filter(line => !line.startsWith("request: data:")).forEach(line => console.log(line));
	if (!await page.eval("document.querySelector('iframe') && document.querySelectorAll('tbody tr').length > 3"))
		console.log("no flame graph or no table");
	if (axe) {
		await page.eval(fs.readFileSync(axe, "utf8") + ";0");
		for (const v of await page.eval("axe.run(document, {iframes: false}).then(r => r.violations)"))
			console.log(`axe: ${v.id}: ${v.help}: ${v.nodes[0].html}`);
	}
	return page;
}

async function duckdb([file]) {
	const {DuckDBInstance} = require(path.join(packages, "@duckdb/node-api"));
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	const rows = await connection.runAndReadAll(
		`select stack, sum(weight)::bigint from read_csv('${file.replace(/'/g, "''")}') group by stack`);

	for (const [stack, weight] of rows.getRows())
		console.log(stack.replace(/^'/, ""), String(weight));
	return {close() {}};
}

/* Values are separated by "|", as sqlite3 prints them. */
async function sql([files, query]) {
	const {DuckDBInstance} = require(path.join(packages, "@duckdb/node-api"));
	const connection = await (await DuckDBInstance.create(":memory:")).connect();

	await connection.run(`create view samples as from read_csv('${files.replace(/'/g, "''")}')`);
	for (const row of (await connection.runAndReadAll(query)).getRows())
		console.log(row.map(String).join("|"));
	return {close() {}};
}

({speedscope, d3, html, duckdb, sql})[kind](args).then(
	page => { page.close(); process.stdout.write("", () => process.exit(0)); },
	e => { console.log(kind + ": " + e.stack); process.exit(1); });
