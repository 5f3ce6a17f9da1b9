/*
 * Drive Chromium without a package: it takes commands of the DevTools protocol from descriptor 3
 * and answers on 4, each message ended by a NUL.
 *
 *	const page = await open("chromium", directory);     directory: of the browser's own files
 *	await page.go("/tmp/x.svg");
 *	await page.eval("document.title");
 *	page.close();
 *
 * page.noise lists what a page must not do: lines on the console, errors, requests.
 */
const {spawn} = require("child_process");

async function open(program, directory, width = 1280, height = 800) {
	const browser = spawn(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-dev-shm-usage", "--disable-background-networking", "--remote-debugging-pipe",
		"--user-data-dir=" + directory, `--window-size=${width},${height}`],
		{stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
	const waiting = new Map(), on = new Map(), noise = [];
	let last = 0, rest = "", session;

	browser.stdio[4].on("data", bytes => {
		const messages = (rest + bytes).split("\0");

		rest = messages.pop();
		for (const text of messages) {
			const m = JSON.parse(text), done = waiting.get(m.id);

			if (m.method && on.has(m.method))
				on.get(m.method)(m.params);
			waiting.delete(m.id);
			if (done && m.error)
				done.fail(new Error(m.error.message));
			else if (done)
				done.ok(m.result);
		}
	});
	const send = (method, params = {}) => new Promise((ok, fail) => {
		waiting.set(++last, {ok, fail});
		browser.stdio[3].write(JSON.stringify({id: last, method, params, sessionId: session}) + "\0");
	});
	const once = method => new Promise(ok => on.set(method, ok));
	const {targetId} = await send("Target.createTarget", {url: "about:blank"});

	session = (await send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
	for (const domain of ["Page", "Runtime", "Log", "Network"])
		await send(domain + ".enable");
	await send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false});
	on.set("Runtime.consoleAPICalled", p => noise.push("console: " + JSON.stringify(p.args)));
	on.set("Runtime.exceptionThrown", p => noise.push("error: " + p.exceptionDetails.exception.description));
	on.set("Log.entryAdded", p => noise.push("log: " + p.entry.text));
	on.set("Network.requestWillBeSent", p => /^(file|blob):/.test(p.request.url) || noise.push("request: " + p.request.url));

	const page = {
		noise, send,
		async eval(expression) {
			const r = await send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});

			if (r.exceptionDetails)
				throw new Error(expression + ": " + r.exceptionDetails.exception.description);
			return r.result.value;
		},
		/* Open a file, and wait until its tree is unpacked. */
		async go(path) {
			const loaded = once("Page.loadEventFired");

			await send("Page.navigate", {url: "file://" + encodeURI(path)});
			await loaded;
			await page.until("document.querySelector('svg.live') !== null");
		},
		/* Two animation frames: what a key has changed is drawn. */
		settled: () => page.eval("new Promise(ok => requestAnimationFrame(() => requestAnimationFrame(() => ok(0))))"),
		async until(expression) {
			const end = Date.now() + 60000;

			while (!await page.eval(expression)) {
				if (Date.now() > end)
					throw new Error("never true: " + expression);
				await page.settled();
			}
		},
		async key(key) {
			const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;

			await send("Input.dispatchKeyEvent", {type: "keyDown", key, text});
			await send("Input.dispatchKeyEvent", {type: "keyUp", key});
			await page.settled();
		},
		async click(x, y, modifiers = 0) {
			for (const type of ["mouseMoved", "mousePressed", "mouseReleased"])
				await send("Input.dispatchMouseEvent", {type, x, y, modifiers,
					button: type === "mouseMoved" ? "none" : "left", clickCount: type === "mouseMoved" ? 0 : 1});
			await page.settled();
		},
		close: () => browser.kill("SIGKILL"),
	};

	return page;
}

module.exports = {open};
