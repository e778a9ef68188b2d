// Lanes of states over virtual time, and the slider that goes back and forth.

import { el, find, time } from "../dom.js";
import { canvasPen, drawing, svgPen } from "../picture.js";
import { indexAt } from "../run.js";

const HEIGHT = 20;
const LABEL = 150;

/**
 * @param {import("../run.js").Run} run
 * @param {(ps: number) => void} seek
 * @returns {() => SVGElement | null} the lanes that are shown, as a drawing
 */
export function timeView(run, seek) {
  const body = find("#time .body");
  const slider = /** @type {HTMLInputElement} */ (
    el("input", { type: "range", "aria-label": "Virtual time", input: () => seek(Number(slider.value)) })
  );
  const canvas = /** @type {HTMLCanvasElement} */ (el("canvas", { role: "img", "aria-label": "States over time" }));
  const zoom = /** @type {HTMLSelectElement} */ (
    el("select", { "aria-label": "Shown time", change: () => draw() }, ...[50, 200, 1000, 5000, 20000].map((cycles) => el("option", { value: cycles, selected: cycles === 200 }, `${cycles} cycles`)))
  );
  const tip = el("output", { class: "tip" });
  body.append(el("div", { class: "bar" }, slider, zoom, tip), canvas);
  /** @type {{lane: number, y: number}[]} */
  let shown = [];
  let [from, span] = [0, 1];
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

    span = Number(zoom.value) * hello.cycle_ps;
    from = Math.max(0, moment.time_ps - span * 0.6);
    const changes = run.changes[run.node] ?? [];
    // The selected block, and all others that change in the shown time.
    const moves = (/** @type {number} */ lane) => {
      const end = indexAt(changes[lane], from + span);
      return end > 0 && changes[lane][end].time > from;
    };
    const chosen = run.lanes.map((_, lane) => lane).filter((lane) => changes[lane] && (run.lanes[lane].block === run.block || moves(lane)));
    chosen.sort((a, b) => Number(run.lanes[b].block === run.block) - Number(run.lanes[a].block === run.block) || a - b);
    const width = Math.max(200, body.clientWidth - 2);
    const height = (chosen.length + 1) * HEIGHT + 4;
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.scale(scale, scale);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    shown = chosen.map((lane, row) => ({ lane, y: (row + 1) * HEIGHT }));
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
    for (const { lane, y } of shown) {
      const of = run.lanes[lane];
      pen.text(short(of.name), 2, y + HEIGHT / 2, ink, of.block === run.block ? 1 : 0.75, label - 6);
      const all = changes[lane];
      for (let at = Math.max(0, indexAt(all, from)); at < all.length && all[at].time < from + span; at++) {
        const begin = Math.max(label, x(all[at].time));
        const end = Math.min(width, x(all[at + 1]?.time ?? moment.horizon_ps));
        if (end <= begin) continue;
        const code = all[at].code;
        const opacity = all[at].time > moment.time_ps ? 0.35 : 1;
        const fill = code === 0 ? rest : colours[(code - 1) % colours.length];
        pen.rect(begin, y + 2, Math.max(1, end - begin - 1), HEIGHT - 4, fill, opacity);
        const name = of.table.states[code]?.name ?? "";
        if (end - begin > name.length * 6 + 6 && code !== 0) pen.text(name, begin + 4, y + HEIGHT / 2, "#fff", opacity);
      }
    }
    pen.text(time(from), label, HEIGHT / 2, ink, 1);
    const end = time(from + span);
    pen.text(end, width - pen.width(end) - 2, HEIGHT / 2, ink, 1);
    pen.rect(x(moment.time_ps) - 1, 0, 2, height, ink, 1);
  }

  canvas.addEventListener("click", (event) => {
    const label = Math.min(LABEL, canvas.clientWidth * 0.35);
    const row = shown.find(({ y }) => event.offsetY >= y && event.offsetY < y + HEIGHT);
    if (event.offsetX < label) {
      if (row) run.select(run.lanes[row.lane].block);
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
    tip.textContent = row ? `${run.lanes[row.lane].name} ${change ? (run.lanes[row.lane].table.states[change.code]?.name ?? "") : ""}` : "";
  });
  new ResizeObserver(later).observe(body);
  for (const name of ["hello", "moment", "select"]) run.addEventListener(name, later);

  return () => {
    const context = canvas.getContext("2d");
    if (!context) return null;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const picture = drawing(width, height);
    paint(svgPen(picture, context), width, height);
    return picture;
  };
}

/** @param {string} name the last two parts of a path */
function short(name) {
  return name.split(".").slice(-2).join(".");
}
