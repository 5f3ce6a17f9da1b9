/*
 * What flame.e2e expects of a flame graph in a browser. Arguments: chromium, a directory for its files,
 * the directory with the graphs. Environment: AXE, the path of axe-core, or empty.
 */
const {open} = require("./chromium.js");
const [program, directory, graphs] = process.argv.slice(2);
const fs = require("fs"), assert = require("assert");
const [small, large, hostile, demo, diff, wide] = ["small", "large", "hostile", "demo", "diff", "wide"].map(name => `${graphs}/${name}.svg`);

const text = id => `document.querySelector('#${id}').textContent`;
const boxes = "[...document.querySelectorAll('#rows rect[aria-label]')]";
const box = name => `${boxes}.find(r => r.getAttribute('aria-label').startsWith(${JSON.stringify(name + ", ")}))`;

/* Name, left edge and width in tenths of the picture's width, of the boxes of the row `level`. */
const row = level => `(() => { const w = +document.querySelector('#frames').getAttribute('width');
	return ${boxes}.filter(r => r.getAttribute('aria-level') === '${level}')
		.sort((a, b) => a.getAttribute('x') - b.getAttribute('x'))
		.map(r => r.getAttribute('aria-label').split(',')[0] + ' ' + Math.round(10 * r.getAttribute('width') / w)).join(' '); })()`;

async function clickBox(page, name, modifiers) {
	const at = await page.eval(`(() => { const r = ${box(name)}.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2]; })()`);

	await page.click(...at, modifiers);
}

async function searchFor(page, pattern) {
	await page.eval(`(() => { const s = document.querySelector('#search'); s.value = ${JSON.stringify(pattern)};
		s.dispatchEvent(new Event('input')); })()`);
	await page.settled();
	await page.settled();
}

const tests = {
	async "zoom, back, reset, a link"(page) {
		await page.go(small);
		assert.equal(await page.eval(row(3)), "b 7 c 2 d 1");
		await clickBox(page, "b");
		assert.equal(await page.eval(row(3)), "b 10");
		assert.equal(await page.eval(row(4)), "x 6 c 3");
		const link = await page.eval("location.hash");

		assert.match(link, /^#z=[0-9a-f]{16}$/);
		await page.eval("history.back()");
		await page.until("location.hash === ''");
		await page.settled();
		assert.equal(await page.eval(row(3)), "b 7 c 2 d 1");
		await page.eval(`location.hash = ${JSON.stringify(link)}`);
		await page.until(`${row(3)} === 'b 10'`);
		await page.eval("document.querySelector('#unzoom').click()");
		await page.settled();
		assert.equal(await page.eval(row(3)), "b 7 c 2 d 1");
	},
	async "keys: select, zoom, order, flip, invert, steps, undo"(page) {
		await page.go(small);
		for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight"])
			await page.key(key);
		assert.match(await page.eval(text("details")), /^c$/);
		await page.key("Enter");
		assert.equal(await page.eval(row(3)), "c 10");
		await page.key("Backspace");
		assert.equal(await page.eval(row(3)), "b 7 c 2 d 1");
		const y = `+${box("a")}.getAttribute('y')`, low = await page.eval(y);

		await page.key("i");
		assert.ok(await page.eval(y) < low);
		await page.key("i");
		await page.key("v");
		assert.equal(await page.eval(row(2)), "c 4 x 4 b 1 d 1");
		await page.key("v");
		await clickBox(page, "c", 8);
		assert.equal(await page.eval(row(2)), "c 10");
		await page.key("u");
		await page.until(`${row(3)} === 'b 7 c 2 d 1'`);
		await page.key("o");
		assert.equal(await page.eval(row(3)), "b 7 c 2 d 1");
		assert.match(await page.eval("location.hash"), /o=name/);
		assert.equal(await page.eval(row(4)), "c 2 x 4");
	},
	async "the table of functions and the help"(page) {
		await page.go(small);
		await page.key("t");
		assert.equal(await page.eval("[...document.querySelectorAll('#panel tbody tr')].map(r => r.textContent).join(' ')"),
			"40.00%40.00%c 40.00%40.00%x 10.00%70.00%b 10.00%10.00%d 0.00%100.00%a");
		await page.key("?");
		assert.ok(await page.eval("document.querySelectorAll('#panel tr').length > 10"));
	},
	async "a search counts everything, drawn or not"(page) {
		let shown = "";

		for (const line of fs.readFileSync(graphs + "/shares", "utf8").trim().split("\n")) {
			const [file, share, pattern] = line.split("\t");

			if (file !== shown)
				await page.go(`${graphs}/${file}.svg`);
			shown = file;
			await searchFor(page, pattern);
			assert.equal(await page.eval(text("matched")), share === "-" ? "no match" : `matched ${share}%`,
				`${pattern} in ${file}`);
		}
	},
	async "a phone: large enough to read, nothing cut off, the second touch zooms"(page) {
		await page.send("Emulation.setDeviceMetricsOverride", {width: 360, height: 740, deviceScaleFactor: 2, mobile: true});
		await page.send("Emulation.setTouchEmulationEnabled", {enabled: true});
		await page.go(demo);
		const seen = await page.eval(`(() => { const w = innerWidth / screen.width;
			const all = [...document.querySelectorAll('#head text, #foot text, #rows text')].filter(t => t.textContent);
			return [all.length, Math.max(...all.map(t => t.getBoundingClientRect().right)) / w,
				document.querySelector('#title').getBoundingClientRect().height / w]; })()`);

		assert.ok(seen[0] > 20 && seen[1] <= 360 && seen[2] > 15, seen.join(" "));
		const at = await page.eval(`(() => { const r = ${box("sqlite3VdbeExec")}.getBoundingClientRect();
			return {x: r.x + 20, y: r.y + r.height / 2}; })()`);

		for (const zoomed of [false, true]) {
			await page.send("Input.dispatchTouchEvent", {type: "touchStart", touchPoints: [at]});
			await page.send("Input.dispatchTouchEvent", {type: "touchEnd", touchPoints: []});
			await page.until(`location.hash.includes('z=') === ${zoomed} && document.querySelector('.tip').textContent !== ''`);
		}
		await page.send("Emulation.setTouchEmulationEnabled", {enabled: false});
		await page.send("Emulation.setDeviceMetricsOverride", {width: 1280, height: 800, deviceScaleFactor: 1, mobile: false});
	},
	async "the title ends before the bar, and the rows are as wide as the window"(page) {
		await page.go(demo);
		const [title, bar, right] = await page.eval(`['#title', '.bar', '#frames'].map(s => document.querySelector(s).getBoundingClientRect())
			.map((r, i) => i === 1 ? r.left : r.right)`);

		assert.ok(title < bar, `${title} ${bar}`);
		assert.equal(Math.round(right), 1264);
	},
	async "a link opens the same frame in a page that was just loaded"(page) {
		await page.go(demo);
		await clickBox(page, "sqlite3VdbeExec");
		const link = await page.eval("location.hash");

		await page.go(small);
		await page.go(demo + link);
		assert.equal(await page.eval(`Math.round(${box("sqlite3VdbeExec")}.getAttribute('width'))`), 1248);
	},
	async "nothing hinders a screen reader"(page) {
		for (const file of process.env.AXE ? [small, demo, diff] : []) {
			await page.go(file);
			for (const key of ["", "/", "t", "?"]) {
				if (key)
					await page.key(key);
				await page.eval("document.activeElement && document.activeElement.blur()");
				await page.eval(fs.readFileSync(process.env.AXE, "utf8") + ";0");
				assert.deepEqual(await page.eval(`axe.run(document).then(r => r.violations.map(v =>
					v.id + ": " + v.help + ": " + v.nodes[0].html.slice(0, 120)))`), [], file + " " + key);
			}
		}
	},
	async "few elements, and every frame can be reached"(page) {
		await page.go(large);
		assert.ok(await page.eval("document.querySelectorAll('#rows *').length <= 4000"));
		await searchFor(page, "^needle$");
		for (let i = 0; i < 20 && await page.eval(`!${box("needle")}`); i++) {
			await page.key("n");
			await page.key("Enter");
		}
		await page.until(`${box("needle")} !== undefined`);
	},
	async "names are text"(page) {
		await page.go(hostile);
		assert.equal(await page.eval("document.querySelectorAll('#rows script, #rows image, #rows a').length"), 0);
		assert.ok(await page.eval(`${box("<script>alert(1)</script>")} !== undefined`));
		assert.ok(await page.eval(`${box("\"x\" 'y' &amp")} !== undefined`));
	},
	async "labels end within their boxes"(page) {
		await page.go(wide);
		const seen = await page.eval(`[...document.querySelectorAll('#rows text')].map(t =>
			[t.textContent, t.getComputedTextLength(), t.previousSibling.getAttribute('width')])`);

		assert.ok(seen.length > 4 && seen.some(([text]) => text.includes("\u2026")), JSON.stringify(seen));
		for (const [text, length, width] of seen)
			assert.ok(length <= width, `${text} ${length} ${width}`);
	},
	async "paper has every row, and nothing to click on"(page) {
		await page.go(demo);
		await page.eval("dispatchEvent(new Event('beforeprint'))");
		const seen = await page.eval("[...new Set([...document.querySelectorAll('#rows rect')].map(r => +r.getAttribute('y')))].length");

		assert.ok(seen > 40, "rows: " + seen);
		assert.equal(await page.eval("getComputedStyle(document.querySelector('foreignObject')).display"), "none");
		await page.eval("dispatchEvent(new Event('afterprint'))");
		assert.ok((await page.send("Page.printToPDF", {landscape: true})).data.length > 10000);
	},
};

(async () => {
	const page = await open(program, directory);
	let failed = 0;

	for (const [name, test] of Object.entries(tests)) {
		try {
			await test(page);
			assert.deepEqual(page.noise.splice(0), []);
		} catch (e) {
			console.log(`${name}: ${e.stack}`);
			failed++;
		}
	}
	page.close();
	process.exit(failed ? 1 : 0);
})().catch(e => { console.log(e); process.exit(1); });
