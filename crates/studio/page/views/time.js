// The stages of a message, the calls of the host, and lanes of states and wires over virtual time; the slider goes
// back and forth.

import { el, find, time } from "../dom.js";
import { canvasPen, drawing, svgPen } from "../picture.js";
import { indexAt } from "../run.js";
import { ruler } from "./ruler.js";

const HEIGHT = 20;
const LABEL = 150;

/** Value of the option that shows a message from end to end. */
const MESSAGE = "message";

/**
 * @param {import("../run.js").Run} run
 * @param {Pick<import("../connection.js").Connection, "ask">} connection
 * @param {(ps: number) => void} seek
 * @param {(line: string) => Promise<any>} enter
 * @returns {{picture: () => SVGElement | null, step: (direction: 1 | -1) => void}} what is shown, as a drawing; a step
 *   by a stage
 */
export function timeView(run, connection, seek, enter) {
  const body = find("#time .body");
  const slider = /** @type {HTMLInputElement} */ (
    el("input", { type: "range", "aria-label": "Virtual time", input: () => seek(Number(slider.value)) })
  );
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { role: "img", "aria-label": "States over time" }));
  const zoom = /** @type {HTMLSelectElement} */ (
    el("select", { "aria-label": "Shown time", change: () => draw() }, ...[50, 200, 1000, 5000, 20000].map((cycles) => el("option", { value: cycles, selected: cycles === 200 }, `${cycles} cycles`)), el("option", { value: MESSAGE, disabled: true }, "the message"))
  );
  const message = ruler(run, connection, seek, () => {
    const option = /** @type {HTMLOptionElement} */ (zoom.options[zoom.options.length - 1]);
    option.disabled = !message.stages();
    if (message.stages()) zoom.value = MESSAGE;
    else if (zoom.value === MESSAGE || !zoom.value) zoom.value = "200";
    later();
  });
  const tip = el("output", { class: "tip" });
  const actions = el("div", { class: "actions" });
  body.append(el("div", { class: "bar" }, slider, zoom, tip), message.bar, actions, canvas, message.list);
  /** @type {{lane: number, y: number}[]} */
  let shown = [];
  /** Nodes with calls. @type {number[]} */
  let hosts = [];
  let [from, span] = [0, 1];
  let width = 0;
  let waits = false;

  function later() {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      draw();
    });
  }

  function draw() {
    const { hello, moment } = run;
    if (!hello || !moment) return;
    slider.min = String(hello.first_ps);
    slider.max = String(moment.horizon_ps);
    slider.step = String(hello.cycle_ps);
    if (document.activeElement !== slider || !slider.matches(":active")) slider.value = String(moment.time_ps);
    slider.setAttribute("aria-valuetext", time(moment.time_ps));

    const stages = message.stages();
    if (zoom.value === MESSAGE && stages) {
      span = stages.total_ps * 1.04;
      from = stages.stages[0].begin_ps - stages.total_ps * 0.02;
    } else {
      span = Number(zoom.value) * hello.cycle_ps;
      from = Math.max(0, run.shown() - span * 0.6);
    }
    const changes = run.changes[run.node] ?? [];
    // The selected block, and all others that change in the shown time.
    const moves = (/** @type {number} */ lane) => {
      const end = indexAt(changes[lane], from + span);
      return end > 0 && changes[lane][end].time > from;
    };
    const chosen = run.lanes.map((_, lane) => lane).filter((lane) => changes[lane] && (run.lanes[lane].block === run.block || moves(lane)));
    chosen.sort((a, b) => Number(run.lanes[b].block === run.block) - Number(run.lanes[a].block === run.block) || a - b);
    hosts = [...run.calls.keys()].filter((node) => run.calls[node]?.length);
    const first = (stages ? 2 : 1) + hosts.length;
    const height = (chosen.length + first) * HEIGHT + 4;
    const scale = devicePixelRatio || 1;
    const context = canvas.getContext("2d");
    if (!context) return;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.height = `${height}px`;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.globalAlpha = 1;
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    shown = chosen.map((lane, row) => ({ lane, y: (row + first) * HEIGHT }));
    paint(canvasPen(context), width, height);
  }

  /**
   * @param {import("../picture.js").Pen} pen
   * @param {number} width
   * @param {number} height
   */
  function paint(pen, width, height) {
    const moment = run.moment;
    if (!moment) return;
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink").trim();
    const colours = [1, 2, 3, 4, 5, 6].map((at) => style.getPropertyValue(`--state-${at}`).trim());
    const rest = style.getPropertyValue("--rest").trim();
    const changes = run.changes[run.node] ?? [];
    const label = Math.min(LABEL, width * 0.35);
    const x = (/** @type {number} */ ps) => label + ((ps - from) / span) * (width - label);
    const now = run.shown();
    const stages = message.stages()?.stages ?? [];
    if (stages.length) pen.text("stages", 2, HEIGHT * 1.5, ink, 1, label - 6);
    stages.forEach(({ name, begin_ps, duration_ps }, index) => {
      const begin = Math.max(label, x(begin_ps));
      const end = Math.min(width, x(begin_ps + duration_ps));
      if (end <= begin) return;
      pen.rect(begin, HEIGHT + 2, Math.max(1, end - begin - 1), HEIGHT - 4, colours[index % 2 ? 3 : 0], 1);
      if (end - begin > pen.width(name) + 6) pen.text(name, begin + 4, HEIGHT * 1.5, "#fff", 1);
    });
    hosts.forEach((node, row) => paintCalls(pen, x, label, width, colours, node, rowOfCalls() + row));
    for (const { lane, y } of shown) {
      const of = run.lanes[lane];
      pen.text(short(of.name), 2, y + HEIGHT / 2, ink, of.block === run.block ? 1 : 0.75, label - 6);
      const all = changes[lane];
      for (let at = Math.max(0, indexAt(all, from)); at < all.length && all[at].time < from + span; at++) {
        const begin = Math.max(label, x(all[at].time));
        const end = Math.min(width, x(all[at + 1]?.time ?? moment.horizon_ps));
        if (end <= begin) continue;
        const code = all[at].code;
        const opacity = all[at].time > now ? 0.35 : 1;
        const fill = code === 0 ? rest : colours[(code - 1) % colours.length];
        pen.rect(begin, y + 2, Math.max(1, end - begin - 1), HEIGHT - 4, fill, opacity);
        const name = of.table.states[code]?.name ?? "";
        if (end - begin > name.length * 6 + 6 && code !== 0) pen.text(name, begin + 4, y + HEIGHT / 2, "#fff", opacity);
      }
    }
    pen.text(time(from), label, HEIGHT / 2, ink, 1);
    const end = time(from + span);
    pen.text(end, width - pen.width(end) - 2, HEIGHT / 2, ink, 1);
    if (x(now) >= label && x(now) <= width) pen.rect(x(now) - 1, 0, 2, height, ink, 1);
  }

  /** The first row of calls. */
  const rowOfCalls = () => (message.stages() ? 2 : 1);

  /**
   * Paints the calls of a host.
   * @param {import("../picture.js").Pen} pen
   * @param {(ps: number) => number} x
   * @param {number} label
   * @param {number} width
   * @param {string[]} colours
   * @param {number} node
   * @param {number} row
   */
  function paintCalls(pen, x, label, width, colours, node, row) {
    const y = row * HEIGHT;
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
    pen.text(`host ${node}`, 2, y + HEIGHT / 2, ink, 1, label - 6);
    for (const { begin_ps, end_ps, name } of run.calls[node]) {
      const begin = Math.max(label, x(begin_ps));
      const end = Math.min(width, x(end_ps));
      if (end <= begin) continue;
      pen.rect(begin, y + 2, Math.max(1, end - begin - 1), HEIGHT - 4, colours[hash(name) % colours.length], begin_ps > run.shown() ? 0.35 : 1);
      if (end - begin > pen.width(name) + 6) pen.text(name, begin + 4, y + HEIGHT / 2, "#fff", 1);
    }
  }

  /**
   * Selects the block of a lane; offers a break point on the frames of a wire to or from the link.
   * @param {import("../run.js").Lane} lane
   */
  function choose(lane) {
    const end = lane.register === null ? lane.network : null;
    const line = `break frame ${end} node${run.node}`;
    actions.replaceChildren(...(end ? [el("button", { click: () => enter(line) }, line)] : []));
    run.select(lane.block);
  }

  canvas.addEventListener("click", (event) => {
    const label = Math.min(LABEL, canvas.clientWidth * 0.35);
    const row = shown.find(({ y }) => event.offsetY >= y && event.offsetY < y + HEIGHT);
    if (event.offsetX < label) {
      if (row) choose(run.lanes[row.lane]);
      return;
    }
    const target = from + ((event.offsetX - label) / (canvas.clientWidth - label)) * span;
    seek(Math.min(target, run.moment?.horizon_ps ?? target));
  });
  canvas.addEventListener("mousemove", (event) => {
    const label = Math.min(LABEL, canvas.clientWidth * 0.35);
    const row = shown.find(({ y }) => event.offsetY >= y && event.offsetY < y + HEIGHT);
    const ps = from + ((event.offsetX - label) / (canvas.clientWidth - label)) * span;
    const changes = row ? run.changes[run.node][row.lane] : [];
    const change = row && changes[indexAt(changes, ps)];
    const stage = event.offsetY >= HEIGHT && event.offsetY < 2 * HEIGHT && message.stages()?.stages.find(({ begin_ps, duration_ps }) => begin_ps <= ps && ps < begin_ps + duration_ps);
    const host = hosts[Math.floor(event.offsetY / HEIGHT) - rowOfCalls()];
    const call = host !== undefined && run.calls[host].find(({ begin_ps, end_ps }) => begin_ps <= ps && ps < end_ps);
    if (call) tip.textContent = `${call.name}: ${time(call.end_ps - call.begin_ps)}`;
    else if (stage) tip.textContent = `${stage.name}, ${stage.place}: ${time(stage.duration_ps)}`;
    else tip.textContent = row ? `${run.lanes[row.lane].name} ${change ? (run.lanes[row.lane].table.states[change.code]?.name ?? "") : ""}` : "";
  });
  new ResizeObserver(() => {
    width = Math.max(200, body.clientWidth - 16);
    later();
  }).observe(body);
  for (const name of ["hello", "select"]) run.addEventListener(name, later);
  run.addEventListener("moment", () => run.animated || later());
  run.addEventListener("frame", draw);

  const picture = () => {
    const context = canvas.getContext("2d");
    if (!context) return null;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const picture = drawing(width, height);
    paint(svgPen(picture, context), width, height);
    return picture;
  };
  return { picture, step: message.step };
}

/** A number that tells most names apart. @param {string} name */
function hash(name) {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
}

/** @param {string} name the last two parts of a path */
function short(name) {
  return name.split(".").slice(-2).join(".");
}
