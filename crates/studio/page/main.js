// memonet studio: connects the views with the run.

import { Connection } from "./connection.js";
import { el, find, time } from "./dom.js";
import { contentOf, save } from "./picture.js";
import { Recording, unpacked } from "./recording.js";
import { Run } from "./run.js";
import { block } from "./views/block.js";
import { cluster } from "./views/cluster.js";
import { shell } from "./views/console.js";
import { device } from "./views/device.js";
import { timeView } from "./views/time.js";
import { tour } from "./views/tour.js";

const run = new Run();
const status = find("#status");
const clock = find("#now");
/** A block and a time that the address names. */
const wanted = new URLSearchParams(location.hash.slice(1));

const recording = document.getElementById("recording")?.textContent;
const connection = recording
  ? new Recording(await unpacked(recording), receive)
  : new Connection(receive, (text) => {
      status.textContent = text;
      document.body.classList.toggle("offline", text !== "");
    });
if (recording) {
  status.textContent = "";
  document.body.classList.add("recorded");
}

/** @param {any} message */
function receive(message) {
  if (message.type === "hello") {
    run.begin(message);
    const index = run.hello?.blocks.findIndex(({ path }) => path === wanted.get("block")) ?? -1;
    run.select(index >= 0 ? index : firstMachine());
    connection.send({ type: "look", node: run.node });
    if (wanted.has("t")) seek(Number(wanted.get("t")));
    wanted.delete("t");
  } else if (message.type === "moment") run.update(message);
  else if (message.type === "call") run.call(message.node, message.call);
  else if (message.type === "said") {
    const { node, line: name, from_ps: begin_ps, to_ps: end_ps } = message;
    // Lines that only let time pass are no work of the host.
    if (end_ps > begin_ps && !/^(run|forward)\b/.test(name)) run.call(node, { begin_ps, end_ps, name });
    console.say(message);
  }
  else if (message.type === "refused") console.say({ line: "", text: "", error: message.error });
}

/** The first block with a state machine. */
function firstMachine() {
  return run.lanes[0]?.block ?? 0;
}

/**
 * Executes a line of the shell; then goes back to its beginning, if asked to.
 * @param {string} line
 * @param {boolean} [back]
 * @returns {Promise<any>}
 */
async function enter(line, back = false) {
  const answer = await connection.ask({ type: "line", line });
  if (answer.type === "refused") console.say({ line, text: "", error: answer.error });
  const cycles = Math.floor((answer.to_ps - answer.from_ps) / (run.hello?.cycle_ps ?? 1));
  if (back && cycles > 0) return enter(`back ${cycles}`);
  return answer;
}

/** The time to go to next, while a step is on its way. @type {number | null} */
let target = null;
let seeking = false;

/** @param {number} ps */
async function seek(ps) {
  target = ps;
  if (seeking) return;
  seeking = true;
  while (target !== null && run.hello && run.moment) {
    const cycles = Math.round((target - now()) / run.hello.cycle_ps);
    target = null;
    if (cycles === 0) continue;
    const answer = await enter(cycles > 0 ? `${ahead() ? "forward" : "run"} ${cycles}` : `back ${-cycles}`);
    if (answer.to_ps !== undefined) ended = answer.to_ps;
    if (answer.error || answer.type === "refused") break;
  }
  ended = null;
  seeking = false;
}

/** Time after the last step, which the moment may not show yet. @type {number | null} */
let ended = null;
/** What was undone is repeated; it is known from the moment before the first step. */
const ahead = () => (run.moment?.undone_ps ?? 0) > now();
const now = () => ended ?? run.moment?.time_ps ?? 0;

/** @param {number} node */
function look(node) {
  run.node = node;
  connection.send({ type: "look", node });
  if (run.moment?.here !== node) enter(`node ${node}`);
  run.tell("hello");
  run.select(run.block);
}

const console = shell(run, connection, enter);
if (recording) console.input.placeholder = "run 100, back 100, break, delete, run until";
device(run);
block(run, connection, enter);
cluster(run, look, enter);
const lanes = timeView(run, connection, seek, enter);
tour(run, look, enter);

// The controls.

const speed = /** @type {HTMLSelectElement} */ (
  el("select", { "aria-label": "Cycles between two pictures", change: () => run.moment?.playing && play() },
    ...[1, 10, 100, 1000, 10000].map((cycles) => el("option", { value: cycles }, `×${cycles}`)))
);
const playing = el("button", { id: "play", click: toggle, title: "Space" }, "Play");

function play() {
  connection.send({ type: "play", cycles: Number(speed.value) });
}

function toggle() {
  if (run.moment?.playing) connection.send({ type: "pause" });
  else play();
}

/** @param {number} cycles */
function step(cycles) {
  seek(now() + cycles * (run.hello?.cycle_ps ?? 0));
}

const steps = /** @type {[string, number, string][]} */ ([
  ["−10", -10, "Shift+Left"],
  ["−1", -1, "Left"],
  ["+1", 1, "Right"],
  ["+10", 10, "Shift+Right"],
]);
const theme = el("button", { title: "Light or dark", click: () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  run.tell("moment");
} }, "◐");
find("#controls").append(
  ...steps.map(([text, cycles, key]) => el("button", { click: () => step(cycles), title: `${cycles} cycles; ${key}`, "aria-label": `${cycles} cycles` }, text)),
  playing,
  speed,
  theme,
);

// Views that can be saved as SVG. Another program or a paper shows the file as it is.

const pictures = /** @type {Record<string, () => SVGElement | null>} */ ({
  cluster: () => contentOf(find("#cluster .body")),
  device: () => contentOf(find("#device .body")),
  block: () => contentOf(find("#block .machines")),
  time: lanes.picture,
});

/** The view that was used last. */
let used = "device";
for (const view of Object.keys(pictures)) {
  const section = find(`#${view}`);
  section.querySelector("h2")?.after(
    el("button", { class: "save", title: "Save as SVG; S for the view used last", "aria-label": `save ${view} as SVG`, click: () => savePicture(view) }, "SVG"),
  );
  for (const event of ["pointerdown", "focusin"]) section.addEventListener(event, () => (used = view));
}

/** @param {string} view */
function savePicture(view) {
  const picture = pictures[view]();
  if (picture && run.hello) save(picture, `${run.hello.machine}_${view}_${run.moment?.time_ps ?? 0}`);
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && target.tagName !== "BUTTON") toggle();
  else if (event.key === "ArrowRight") step(event.shiftKey ? 10 : 1);
  else if (event.key === "ArrowLeft") step(event.shiftKey ? -10 : -1);
  else if (event.key === "[") lanes.step(-1);
  else if (event.key === "]") lanes.step(1);
  else if (event.key === "s") savePicture(used);
  else if (event.key === "/") console.input.focus();
  else return;
  event.preventDefault();
});

run.addEventListener("hello", () => {
  find("#title").textContent = `memonet studio: ${run.hello?.title}`;
  document.title = `${run.hello?.title} · memonet studio`;
});

/** Shows the time of the picture. */
function showTime() {
  const { hello, moment } = run;
  if (!hello || !moment) return;
  const shown = run.shown();
  const cycle = shown === moment.time_ps ? moment.cycle : Math.floor(shown / hello.cycle_ps);
  clock.textContent = `${time(shown)} · cycle ${cycle} · ${moment.nic}`;
  clock.dataset.ps = String(shown);
}

/** Delay of the address, which browsers limit to a few changes a second, in ms. */
const ADDRESS = 150;
let address = 0;

run.addEventListener("frame", showTime);
run.addEventListener("moment", () => {
  const moment = run.moment;
  if (!moment) return;
  if (!run.animated) showTime();
  playing.textContent = moment.playing ? "Pause" : "Play";
  // A moment in the address: another page with it shows the same.
  clearTimeout(address);
  if (!moment.playing) address = setTimeout(showAddress, ADDRESS);
});
run.addEventListener("select", () => {
  if (run.moment && !run.moment.playing) showAddress();
});

function showAddress() {
  if (!run.hello || !run.moment) return;
  const path = run.hello.blocks[run.block].path;
  history.replaceState(null, "", `#t=${run.moment.time_ps}&block=${path}`);
}

// On a narrow page one view is shown at a time.

const views = ["cluster", "device", "block", "time", "console"];
const tabs = views.map((view) =>
  el("button", { role: "tab", "aria-controls": view, click: () => show(view) }, view[0].toUpperCase() + view.slice(1)),
);
find("#tabs").append(...tabs);

/** @param {string} view */
function show(view) {
  if (view in pictures) used = view;
  document.body.dataset.view = view;
  tabs.forEach((tab, index) => tab.setAttribute("aria-selected", String(views[index] === view)));
}

show("device");
run.addEventListener("select", () => {
  if (run.moment && matchMedia("(max-width: 800px)").matches) show("block");
});
