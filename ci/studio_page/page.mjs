// Tests the page of `memonet studio` in a headless Chromium: node page.mjs MEMONET MACHINE [FOLDER]
//
// Starts memonet for each group of cases, fails at the first wrong result, and writes screenshots into FOLDER.
// STUDIO_PICTURE names the file for the picture of README.md, which the run of one machine writes.
import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import { execFileSync, spawnSync } from "node:child_process";
import { chromium } from "playwright-core";

const [memonet, machine, folder] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const hasRtl = process.env.STUDIO_RTL !== "no";
/** Cases that are the same for all machines run with the first one. */
const first = machine === "dimmnet2";
let passed = 0;

/** Starts memonet and returns its address. */
async function serve(...options) {
  const process = spawn(memonet, ["studio", "--machine", machine, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => process.on("exit", (code) => resolve(code)));
  let text = "";
  const address = await new Promise((resolve, reject) => {
    process.stdout.on("data", (data) => {
      text += data;
      const found = text.match(/http:\S+/);
      if (found) resolve(found[0]);
    });
    let error = "";
    process.stderr.on("data", (data) => (error += data));
    process.on("exit", () => reject(new Error(error)));
  });
  return { process, address, ended };
}

/** Opens the page; errors of its scripts fail the test. */
async function open(address, width = 1280, height = 900) {
  const page = await browser.newPage({ viewport: { width, height } });
  page.on("pageerror", (error) => {
    throw error;
  });
  page.on("console", (message) => message.type() === "error" && !message.text().includes("404") && assert.fail(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector("#now")?.textContent !== "");
  return page;
}

const cycle = async (page) => Number((await page.textContent("#now")).match(/cycle (\d+)/)[1]);

/** Types a line that says nothing. */
async function type(page, line) {
  await page.fill("#console input[type=text]", line);
  await page.press("#console input[type=text]", "Enter");
}

/** Enters a line and returns its output, when the page shows the time after it. */
async function enter(page, line) {
  const count = await page.locator(".said").count();
  await type(page, line);
  await page.waitForFunction((count) => {
    const said = document.querySelectorAll(".said");
    const now = document.querySelector("#now").dataset.ps;
    // A refused line has no time.
    return said.length > count && (said[said.length - 1].dataset.ps ?? now) === now;
  }, count);
  await page.waitForTimeout(40);
  return (await page.locator(".said").last().innerText()).split("\n").slice(1).join("\n");
}

/** A case with a name. */
async function test(name, run) {
  const began = Date.now();
  try {
    await run();
  } catch (error) {
    console.error(`studio: ${machine}: ${name}: failed`);
    throw error;
  }
  passed += 1;
  console.log(`studio: ${machine}: ${name}: ${Date.now() - began} ms`);
}

const shot = async (page, name) => folder && page.screenshot({ path: `${folder}/${machine}_${name}.png` });

const main = await serve();
const page = await open(main.address);

await test("first paint and all views", async () => {
  for (const view of ["cluster", "device", "block", "time", "console"]) {
    assert.ok(await page.locator(`#${view} .body > *`).count(), view);
  }
  assert.ok((await page.locator("#device .box").count()) > 5);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  assert.ok(paint < 5000, `first paint after ${paint} ms`);
  console.log(`studio: ${machine}: first paint after ${Math.round(paint)} ms`);
});

await test("state diagram, both sources and the arm of the present state", async () => {
  await page.waitForSelector("#block svg .node.now");
  assert.equal(await page.locator("#block svg .node.now").count(), 1);
  await page.waitForSelector("#block .source .arm");
  for (const language of ["rust", "systemverilog"]) {
    assert.ok(await page.locator(`pre.${language} .arm`).count(), language);
  }
});

await test("steps by buttons and keys", async () => {
  const before = await cycle(page);
  await page.click("#controls button[aria-label='1 cycles']");
  await page.waitForFunction((cycle) => document.querySelector("#now").textContent.includes(`cycle ${cycle} `), before + 1);
  await page.locator("h1").click();
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForFunction((cycle) => document.querySelector("#now").textContent.includes(`cycle ${cycle} `), before + 11);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((cycle) => document.querySelector("#now").textContent.includes(`cycle ${cycle} `), before + 10);
  const times = [];
  for (let step = 1; step <= 10; step++) {
    await page.waitForTimeout(40);
    const answered = page.evaluate(
      () =>
        new Promise((resolve) => {
          const began = performance.now();
          new MutationObserver((_, observer) => {
            observer.disconnect();
            resolve(performance.now() - began);
          }).observe(document.querySelector("#now"), { childList: true });
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        }),
    );
    times.push(Math.round(await answered));
  }
  console.log(`studio: ${machine}: a step answers in ${times.sort((a, b) => a - b)[5]} ms (median of 10)`);
});

if (first) await test("each view saves an SVG that opens by itself", async () => {
  const work = fs.mkdtempSync(`${os.tmpdir()}/studio-`);
  for (const view of ["cluster", "device", "block", "time"]) {
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click(`#${view} .save`)]);
    assert.match(saved.suggestedFilename(), new RegExp(`^${machine}_${view}_\\d+\\.svg$`));
    const file = `${work}/${view}.svg`;
    await saved.saveAs(file);
    const drawn = await browser.newPage();
    drawn.on("request", (request) => assert.ok(request.url().startsWith("file:"), request.url()));
    await drawn.goto(`file://${file}`);
    const shapes = await drawn.evaluate(() => [...document.querySelectorAll("text")].filter((text) => text.getBBox().width > 0).length);
    assert.ok(shapes > 1, `${view}: ${shapes} texts`);
    await shot(drawn, `saved_${view}`);
    await drawn.close();
  }
  await page.evaluate(() => document.activeElement?.blur());
  const [saved] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
  assert.match(saved.suggestedFilename(), /_time_/, "S saves the view used last");
  fs.rmSync(work, { recursive: true });
});

await test("play and pause", async () => {
  const before = await cycle(page);
  await page.click("#play");
  await page.waitForFunction(() => document.querySelector("#play").textContent === "Pause");
  await page.waitForTimeout(500);
  await page.click("#play");
  await page.waitForFunction(() => document.querySelector("#play").textContent === "Play");
  assert.ok((await cycle(page)) > before);
});

await test("pictures between moments never go back in time", async () => {
  await page.click("#play");
  const times = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const times = [];
        const clock = document.querySelector("#now");
        new MutationObserver((_, observer) => {
          times.push(Number.parseFloat(clock.textContent));
          if (times.length < 30 || new Set(times).size <= 10) return;
          observer.disconnect();
          resolve(times);
        }).observe(clock, { childList: true });
      }),
  );
  await page.click("#play");
  await page.waitForFunction(() => document.querySelector("#play").textContent === "Play");
  assert.deepEqual(times, times.toSorted((a, b) => a - b));
});

await test("completion", async () => {
  await page.fill("#console input[type=text]", "fingerp");
  await page.press("#console input[type=text]", "Tab");
  await page.waitForFunction(() => document.querySelector("#console input[type=text]").value === "fingerprint ");
});

await test("a break point, listed and deleted", async () => {
  const name = await page.locator("#block svg .node title").nth(1).textContent();
  await page.locator("#block svg .node").nth(1).click();
  await page.locator("#block .actions button", { hasText: /^break/ }).click();
  await page.waitForSelector(".breaks button");
  assert.ok((await page.textContent(".breaks button")).includes(name));
  await page.click(".breaks button");
  await page.waitForFunction(() => document.querySelectorAll(".breaks button").length === 0);
});

await test("two pages show the same, and a reload shows it again", async () => {
  const other = await open(main.address);
  await enter(page, "run 17");
  const now = await page.textContent("#now");
  await other.waitForFunction((now) => document.querySelector("#now").textContent === now, now);
  await other.reload();
  await other.waitForFunction((now) => document.querySelector("#now").textContent === now, now);
  await other.close();
});

if (first) await test("wrong token, foreign origin, foreign host, garbage", async () => {
  const wrong = main.address.replace(/[0-9a-f]{32}/, "0".repeat(32));
  assert.equal((await fetch(wrong)).status, 403);
  const port = new URL(main.address).port;
  const request = (path, headers) =>
    new Promise((resolve) => http.get({ port, host: "127.0.0.1", path, headers }, (answer) => resolve(answer.statusCode)));
  const path = new URL(main.address).pathname;
  assert.equal(await request(path, { Host: "evil.example" }), 403);
  const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==" };
  assert.equal(await request(`${path}socket`, { ...upgrade, Origin: "http://evil.example" }), 403);
  const answers = await page.evaluate(async () => {
    const talk = (text) =>
      new Promise((resolve) => {
        const socket = new WebSocket(new URL("socket", location.href).href.replace("http", "ws").split("#")[0]);
        socket.onopen = () => socket.send(text);
        socket.onmessage = ({ data }) => JSON.parse(data).type === "refused" && (resolve(JSON.parse(data).error), socket.close());
        socket.onclose = ({ code }) => resolve(code);
      });
    return [await talk("garbage"), await talk(JSON.stringify({ type: "look", node: 99 })), await talk("x".repeat(100_000_000))];
  });
  assert.match(String(answers[0]), /this is no request/);
  assert.match(String(answers[1]), /there is no node 99/);
  assert.ok(typeof answers[2] === "number", `100 MB: ${answers[2]}`);
  await enter(page, "time");
});

await test("narrow page", async () => {
  const narrow = await open(main.address, 390, 844);
  for (const view of ["cluster", "device", "block", "time", "console"]) {
    await narrow.locator("#tabs button", { hasText: new RegExp(`^${view}$`, "i") }).click();
    assert.ok(await narrow.locator(`#${view}`).isVisible(), view);
    assert.ok((await narrow.evaluate(() => document.documentElement.scrollWidth)) <= 390, `${view} is too wide`);
    await shot(narrow, `390_${view}`);
  }
  await narrow.close();
});

await test("FIFOs are bars with their fill", async () => {
  const bars = await page.locator("#device .fill").all();
  assert.equal(await page.locator("#device .fill:not(.memory)").count(), await page.locator("#device button[title^='hdl::'][title*='ifo::']").count());
  for (const bar of bars) {
    assert.match(await bar.innerText(), /^\d+ \/ \d+$/);
    assert.ok(Number(await bar.getAttribute("aria-valuenow")) <= Number(await bar.getAttribute("aria-valuemax")));
  }
});

await test("the block diagram has wires, and a click on one selects its block", async () => {
  const names = await page.$$eval("#device .diagram .box > .head > .name", (names) => names.length);
  assert.equal(await page.locator("#device .diagram .box").count(), names);
  await page.waitForSelector("#device .wire", { state: "attached" });
  const wires = await page.$$eval("#device .wire title", (titles) => titles.map((title) => title.textContent));
  assert.ok(wires.length > 10 && new Set(wires).size === wires.length, wires.join("\n"));
  const block = wires.find((wire) => !wire.startsWith("(")).split(" → ")[0];
  await page.locator("#device .wire", { hasText: `${block} →` }).first().dispatchEvent("click");
  assert.equal(await page.textContent("#block h2"), `Block: ${block}`);
});

await test("a node without a message has no stages", async () => {
  await page.click("#time .measure");
  await page.waitForFunction(() => document.querySelector("#time .bar .note").textContent.includes("has not issued anything"));
  assert.equal(await page.locator("#time .stages tr").count(), 0);
});

await test("a break point on frames: by a click, reached by a line and by playing", async () => {
  const message = machine === "dimmnet2" ? "rllcm_write 2 0x40 0x0123456789abcdef" : "send 1 8";
  await enter(page, "run 20");
  const begin = await cycle(page);
  await page.locator("#cluster .stops button", { hasText: "frame from node0" }).first().click();
  await page.waitForSelector(".breaks button");
  assert.match(await page.textContent(".breaks button"), /frame from node0/);
  assert.match(await enter(page, message), /^break at .* us: frame \w+ from node0$/m);
  const end = await cycle(page);
  await page.waitForFunction(() => document.querySelectorAll("#cluster .moving circle").length > 0);
  await shot(page, "frame");
  await enter(page, `back ${end - begin}`);
  const count = await page.locator(".said").count();
  await page.selectOption("#controls select", "100");
  await page.click("#play");
  await page.waitForFunction((count) => document.querySelectorAll(".said").length > count, count);
  assert.match(await page.locator(".said").last().innerText(), /break at .* frame \w+ from node0/);
  await page.waitForFunction(() => document.querySelector("#play").textContent === "Play");
  assert.equal(await cycle(page), end);
  // The label of the lane of the wire to the link offers the same line.
  await page.click(".breaks button");
  const lanes = await page.locator("#time canvas").boundingBox();
  for (let y = 30; y < lanes.height && !(await page.locator("#time .actions button").count()); y += 20) {
    await page.locator("#time canvas").click({ position: { x: 20, y } });
  }
  await page.locator("#time .actions button", { hasText: "break frame from node0" }).click();
  await page.waitForSelector(".breaks button");
  await page.click(".breaks button");
});

await test("a frame is in the switch, and memories show how many entries are in use", async () => {
  await enter(page, "run 20000");
  const message = machine === "dimmnet2" ? "rllcm_write 2 0x40 0x0123456789abcdef" : "send 1 8";
  await enter(page, "break frame to node1");
  assert.match(await enter(page, message), /frame \w+ to node1/);
  await page.waitForFunction(() => /units in switches: \d+|Nodes with units/.test(document.querySelector("#cluster .note").textContent) || document.querySelector("#cluster .note").textContent.includes("struck"));
  const bars = await page.locator("#device .fill.memory").all();
  assert.equal(bars.length > 0, machine !== "cenju3", "only the NIF of Cenju-3 has no memory of its own");
  let used = 0;
  for (const bar of bars) used += Number(await bar.getAttribute("aria-valuenow"));
  assert.ok(used > 0 || bars.length === 0, "the message is in a memory");
  await shot(page, "memories");
  await page.click(".breaks button");
  // Frames that are lost have a mark where they were lost.
  await enter(page, "run 20000");
  for (const line of ["fault link drop 1", "break frame lost from node0", message]) await enter(page, line);
  assert.match(await page.locator("#cluster .mark", { hasText: "drop" }).textContent(), /✕ drop/);
  await page.click(".breaks button");
});

const tours = await page.locator("#tour option").allTextContents();
await page.close();
main.process.kill("SIGINT");
assert.equal(await main.ended, 0, "Ctrl-C ends memonet with success");

for (const [index, title] of tours.entries()) {
  if (index === 0 || (title === "What lockstep catches" && !hasRtl)) continue;
  const run = await serve();
  const guided = await open(run.address);
  let lit = 0;
  await test(`tour: ${title}`, async () => {
    await guided.selectOption("#tour select", { index });
    for (let step = 0; ; step++) {
      const label = await guided.textContent("#next");
      if (label === "End") break;
      await guided.click("#next");
      await guided.waitForFunction((step) => document.querySelector("#tour").dataset.step === String(step) && !document.querySelector("#next").disabled, step);
      await guided.waitForTimeout(100);
      lit += await guided.locator("#device .wire.lit").count();
      const errors = await guided.locator(".said .error").count();
      if (title !== "What lockstep catches") assert.equal(errors, 0, await guided.locator(".log").innerText());
      await shot(guided, `tour_${index}_${step}`);
      if (process.env.STUDIO_PICTURE && title === "Follow eight bytes through the channel adapter" && step === 2) {
        await guided.setViewportSize({ width: 1280, height: 860 });
        await guided.waitForTimeout(600);
        await guided.screenshot({ path: process.env.STUDIO_PICTURE });
        await guided.setViewportSize({ width: 1280, height: 900 });
      }
    }
    if (title.startsWith("Follow eight bytes")) assert.ok(lit > 0, "wires carry the message");
    if (title === "What lockstep catches") {
      const text = await guided.locator(".said .error").first().innerText();
      assert.match(text, /next_write0: model 0x\d+, RTL 0x/);
      assert.match(await guided.textContent("#now"), /lockstep/);
    }
  });

  if (title.startsWith("Follow eight bytes")) {
    await test("the stages of a message sum to the picosecond, and a step by stages goes through them", async () => {
      await guided.click("#time .measure");
      await guided.waitForSelector("#time .stages .total");
      const stages = await guided.$$eval("#time .stages tr:not(.total) .value", (cells) => cells.map((cell) => BigInt(cell.dataset.ps)));
      const total = await guided.locator("#time .stages .total .value").getAttribute("data-ps");
      assert.ok(stages.length > 3, stages.join());
      assert.equal(stages.reduce((sum, ps) => sum + ps, 0n), BigInt(total));
      await enter(guided, "node 0");
      const printed = await enter(guided, "explain");
      assert.ok(printed.includes(await guided.locator("#time .stages caption").innerText()), printed);
      await shot(guided, "stages");
      const end = await cycle(guided);
      const moved = (now) => guided.waitForFunction((now) => document.querySelector("#now").textContent !== now, now);
      const after = await guided.textContent("#now");
      await guided.locator("#time .stages button").first().click();
      await moved(after);
      assert.equal(await guided.locator("#time .stages tr.now").count(), 1);
      const [first, begin] = [await guided.textContent("#now"), await cycle(guided)];
      await guided.click("#time button[aria-label='next stage']");
      await moved(first);
      assert.ok((await cycle(guided)) > begin, "the next stage is later");
      await shot(guided, "next_stage");
      await guided.click("#time button[aria-label='stage before']");
      await guided.waitForFunction((first) => document.querySelector("#now").textContent === first, first);
      await guided.setViewportSize({ width: 390, height: 844 });
      await guided.locator("#tabs button", { hasText: /^time$/i }).click();
      assert.ok((await guided.evaluate(() => document.documentElement.scrollWidth)) <= 390);
      await shot(guided, "390_stages");
      await guided.setViewportSize({ width: 1280, height: 900 });
      await enter(guided, `forward ${end - (await cycle(guided))}`);
    });
  }

  await test(`back and forward after ${title} ends in the same fingerprint`, async () => {
    const fingerprint = await enter(guided, "fingerprint");
    const [from, first] = [await cycle(guided), 40];
    await enter(guided, `back ${first}`);
    assert.equal(await cycle(guided), from - first);
    await enter(guided, `forward ${first}`);
    assert.equal(await cycle(guided), from);
    assert.equal(await enter(guided, "fingerprint"), fingerprint);
  });
  await guided.close();
  run.process.kill("SIGINT");
  await run.ended;
}

await test("a recorded run opens from disk, goes back, and shows sources", async () => {
  const work = fs.mkdtempSync(`${os.tmpdir()}/studio-`);
  fs.writeFileSync(`${work}/script.dsh`, "run 60\n");
  execFileSync(memonet, ["studio", "--machine", machine, "--script", `${work}/script.dsh`, "--record", `${work}/run.html`]);
  const size = fs.statSync(`${work}/run.html`).size;
  assert.ok(size < 2_000_000, `${size} bytes`);
  const recorded = await open(`file://${work}/run.html`);
  await recorded.waitForSelector("#block .source .arm");
  const end = await cycle(recorded);
  await recorded.click("#controls button[aria-label='-10 cycles']");
  await recorded.waitForFunction((end) => document.querySelector("#now").textContent.includes(`cycle ${end - 10} `), end);
  assert.match(await enter(recorded, "fingerprint"), /this is a recording/);
  await recorded.click("#time .measure");
  await recorded.waitForFunction(() => document.querySelector("#time .bar .note").textContent.includes("has not issued anything"));
  await shot(recorded, "recording");
  // Half a file is no page; the browser shows what there is and nothing hangs.
  fs.writeFileSync(`${work}/half.html`, fs.readFileSync(`${work}/run.html`).subarray(0, size / 2));
  const half = await browser.newPage();
  await half.goto(`file://${work}/half.html`);
  await half.close();
  await recorded.close();
  fs.rmSync(work, { recursive: true });
});

if (first) await test("3,071 nodes are groups, which open to nodes", async () => {
  const run = await serve("--nodes", "3071");
  const many = await open(run.address);
  assert.equal(await many.locator("#cluster .host").count(), 64);
  await many.locator("#cluster .host").last().click();
  await many.locator("#cluster .host[aria-label='node 3070']").click();
  await many.waitForFunction(() => document.querySelector("#device h2").textContent.endsWith("node 3070"));
  // Units move between their group and the network, whose outputs have bars.
  await enter(many, "node 0");
  await many.click("#cluster button:has-text('all groups')");
  await enter(many, "break frame from node0");
  assert.match(await enter(many, "rllcm_write 2 0x40 0x0123456789abcdef"), /frame RVS from node0/);
  await many.waitForFunction(() => document.querySelectorAll("#cluster .moving circle").length > 0);
  await enter(many, "run 20");
  await many.waitForFunction(() => [...document.querySelectorAll("#cluster .queue")].some((bar) => Number(bar.getAttribute("height")) > 2));
  await shot(many, "3071");
  await many.close();
  run.process.kill("SIGINT");
  await run.ended;
});

if (first) await test("a tour with an unknown block is a clear error", async () => {
  const work = fs.mkdtempSync(`${os.tmpdir()}/studio-`);
  fs.writeFileSync(`${work}/tour.md`, `# T\n\nMachine: \`${machine}\`.\n\n## S\n\nLook: \`node0.nowhere\`\n`);
  const ended = spawnSync(memonet, ["studio", "--machine", machine, "--tour", `${work}/tour.md`], { encoding: "utf8", timeout: 20_000 });
  assert.equal(ended.status, 1);
  assert.match(ended.stderr, /no block nowhere/);
  fs.rmSync(work, { recursive: true });
});

if (first) await test("a port that is taken is a clear error", async () => {
  const taken = await serve();
  await assert.rejects(serve("--port", new URL(taken.address).port), /cannot be opened.*choose another/s);
  taken.process.kill("SIGINT");
  await taken.ended;
});

if (first) await test("a run of an MPI program has the same fingerprint, and lanes with the calls of its ranks", async () => {
  const work = fs.mkdtempSync(`${os.tmpdir()}/studio-`);
  execFileSync(memonet, ["mpicc", "-O1", "testbench/mpi/ping.c", "-o", `${work}/ping`]);
  const words = ["mpirun", "-np", "2", "--machine", machine, `${work}/ping`, "3"];
  const fingerprint = (text) => text.match(/fingerprint (\w+)/)[1];
  const plain = spawnSync(memonet, words, { encoding: "utf8" });
  const shown = spawn(memonet, ["studio", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => shown.on("exit", resolve));
  let said = "";
  shown.stderr.on("data", (data) => (said += data));
  let printed = "";
  const address = await new Promise((resolve) =>
    shown.stdout.on("data", (data) => {
      printed += data;
      const found = printed.match(/http:\S+/);
      if (found) resolve(found[0]);
    }),
  );
  assert.equal(fingerprint(said), fingerprint(plain.stderr));
  assert.equal((await fetch(address.replace(/[0-9a-f]{32}/, "0".repeat(32)))).status, 403);
  const ranks = await open(address);
  await ranks.selectOption("#time select", "1000");
  await ranks.waitForTimeout(200);
  const [saved] = await Promise.all([ranks.waitForEvent("download"), ranks.click("#time .save")]);
  await saved.saveAs(`${work}/time.svg`);
  const lanes = fs.readFileSync(`${work}/time.svg`, "utf8");
  for (const text of ["host 0", "host 1", "MPI_Recv", "swif.encapsulation", "encapsulation → network"]) assert.ok(lanes.includes(`>${text}<`), text);
  const end = await cycle(ranks);
  await ranks.click("#controls button[aria-label='-10 cycles']");
  await ranks.waitForFunction((end) => document.querySelector("#now").textContent.includes(`cycle ${end - 10} `), end);
  await ranks.click("#play");
  await ranks.waitForFunction((end) => document.querySelector("#now").textContent.includes(`cycle ${end} `), end);
  // A break point ends playing in a recording too, and its button deletes it.
  assert.match(await enter(ranks, "break frame from node0"), /a recording has no frames/);
  assert.match(await enter(ranks, "break botf Botf1->Botf3"), /no arc Botf1->Botf3, Botf1 leads to Botf2/);
  assert.match(await enter(ranks, "break botf.state == 99"), /3 bits and cannot be 99/);
  assert.equal(await enter(ranks, "break botf Botf1->Botf2"), "");
  await type(ranks, `back ${end}`);
  await ranks.waitForFunction(() => document.querySelector("#now").textContent.includes("cycle 0 "));
  await ranks.selectOption("#controls select", "1000");
  await ranks.click("#play");
  const met = await ranks.waitForFunction(() => document.querySelector(".said:last-child")?.innerText.match(/break at (\d+)\.(\d\d)0000 µs: node0.botf Botf1->Botf2/)?.slice(1));
  assert.equal(await cycle(ranks), Number((await met.jsonValue()).join("")));
  assert.match(await enter(ranks, "run until node1.botf.state == Botf3"), /break at .*: node0.botf Botf1->Botf2|: node1.botf.state == Botf3/);
  await shot(ranks, "mpirun");
  await ranks.click("#console .breaks button");
  await ranks.waitForFunction(() => !document.querySelector("#console .breaks button"));
  await ranks.close();
  shown.kill("SIGINT");
  assert.equal(await ended, 0);
  fs.rmSync(work, { recursive: true });
});

if (first) await test("a recorded example program opens from disk", async () => {
  const work = fs.mkdtempSync(`${os.tmpdir()}/studio-`);
  execFileSync(memonet, ["studio", "--machine", machine, "--program", "transpose", "--record", `${work}/run.html`], { stdio: "pipe" });
  assert.ok(fs.statSync(`${work}/run.html`).size < 2_100_000);
  const recorded = await open(`file://${work}/run.html`);
  await recorded.waitForSelector("#block .source .arm");
  await recorded.selectOption("#time select", "1000");
  await recorded.waitForTimeout(200);
  const [saved] = await Promise.all([recorded.waitForEvent("download"), recorded.click("#time .save")]);
  await saved.saveAs(`${work}/time.svg`);
  const lanes = fs.readFileSync(`${work}/time.svg`, "utf8");
  for (const text of ["host 0", "copy"]) assert.ok(lanes.includes(`>${text}<`), text);
  await recorded.close();
  const unknown = spawnSync(memonet, ["studio", "--machine", machine, "--program", "nothing"], { encoding: "utf8" });
  assert.match(unknown.stderr, /invalid value 'nothing'/);
  fs.rmSync(work, { recursive: true });
});

await browser.close();
console.log(`studio: ${machine}: ${passed} cases passed`);
process.exit(0);
