// The block diagram of the device: blocks with their states, FIFOs with their fill, wires.

import { el, find } from "../dom.js";
import { wires } from "./wires.js";

/** @param {import("../run.js").Run} run */
export function device(run) {
  const body = find("#device .body");
  /** @type {{box: HTMLElement, chips: HTMLElement[], bar: HTMLElement | null}[]} */
  let boxes = [];
  /** Boxes by the path of their block, and ports. @type {Map<string, HTMLElement>} */
  let places = new Map();
  /** @type {import("../run.js").Hello | null} */
  let drawn = null;
  let routing = false;
  const diagram = el("div", { class: "diagram" });
  const shown = wires(run, diagram, (end) => places.get(end), (path) => run.select(run.hello?.blocks.findIndex((block) => block.path === path) ?? 0));

  function draw() {
    const hello = run.hello;
    if (!hello) return;
    find("#device h2").textContent = `Device: ${hello.title}, node ${run.node}`;
    if (drawn === hello) return update();
    drawn = hello;
    places = new Map();
    boxes = hello.blocks.map((block, index) => {
      const name = block.path.slice(block.path.lastIndexOf(".") + 1) || hello.machine;
      const chips = run.lanesOf[index].map(({ table }) => {
        const longest = Math.max(...table.states.map(({ name }) => name.length));
        return el("span", { class: "chip", style: `width: calc(${longest * 0.56}em + 12px)` });
      });
      const button = el(
        "button",
        { class: "name", title: block.rust_type, click: () => run.select(index) },
        name.replaceAll("_", " "),
      );
      const what = run.pointers[index] ? "fill of" : "entries that are not 0 in";
      const bar = run.isStore(index) ? el("span", { class: run.pointers[index] ? "fill" : "fill memory", role: "meter", "aria-valuemin": 0, "aria-label": `${what} ${name}`, title: `${what} ${name}` }, el("i"), el("b")) : null;
      // Memories and other shared parts of the kit are small.
      const isLeaf = !hello.blocks.some(({ path }) => path.startsWith(block.path + ".") || block.path === "");
      const small = isLeaf && block.rust_type.startsWith("hdl::");
      const box = el("div", { class: small ? "box small" : "box" }, el("div", { class: "head" }, button, ...chips, bar));
      if (block.path === "") box.classList.add("root");
      places.set(block.path, box);
      return { box, chips, bar };
    });
    arrange(hello);
    diagram.replaceChildren(places.get("") ?? "");
    body.replaceChildren(diagram);
    update();
    route();
  }

  /**
   * Puts the boxes into their rows. Those without a place follow: small ones behind the name of their block.
   * @param {import("../run.js").Hello} hello
   */
  function arrange({ layout, blocks }) {
    const placed = new Set();
    for (const { block, parts } of layout.rows) {
      const row = el("div", { class: "children" });
      for (const part of parts) {
        if (part.startsWith("(")) places.set(part, el("div", { class: "port" }, part.slice(1, -1)));
        row.append(places.get(part) ?? "");
        placed.add(part);
      }
      places.get(block)?.append(row);
    }
    /** @type {Map<string, HTMLElement>} */
    const others = new Map();
    for (const { path } of blocks) {
      if (placed.has(path) || path === "") continue;
      const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
      const [box, outer] = [places.get(path), places.get(parent)];
      if (!box || !outer) continue;
      if (box.matches(".small")) outer.firstElementChild?.append(box);
      else {
        const row = others.get(parent) ?? el("div", { class: "children" });
        others.set(parent, row);
        row.append(box);
        outer.append(row);
      }
    }
    for (const box of places.values()) box.classList.toggle("leaf", box.matches(".box") && !box.querySelector(".children"));
  }

  /** Draws the wires once the boxes have their places. */
  function route() {
    if (routing) return;
    routing = true;
    setTimeout(() => {
      routing = false;
      shown.draw();
    });
  }

  function update() {
    const hello = run.hello;
    if (!hello) return;
    hello.blocks.forEach((block, index) => {
      const { box, chips, bar } = boxes[index];
      if (bar) showFill(bar, run.fill(index));
      const states = run.states(index);
      states.forEach(({ state, code, lane }, at) => {
        if (chips[at].textContent === state) return;
        chips[at].textContent = state;
        chips[at].title = `${lane.register.name}: ${lane.table.states[code]?.doc ?? ""}`;
        chips[at].classList.toggle("rest", code === 0);
      });
      const registers = block.registers.filter((register) => register.role === "register");
      box.classList.toggle("lit", registers.some((register) => run.hasChanged(register)));
      box.classList.toggle("active", states.some(({ code }) => code !== 0));
      box.classList.toggle("selected", index === run.block);
    });
    shown.update();
  }

  /**
   * @param {HTMLElement} bar
   * @param {{held: number, depth: number} | null} fill null if it is not known
   */
  function showFill(bar, fill) {
    bar.hidden = fill === null;
    if (!fill) return;
    const { held, depth } = fill;
    const text = `${held} / ${depth}`;
    const [level, number] = /** @type {HTMLCollectionOf<HTMLElement>} */ (bar.children);
    if (number.textContent === text) return;
    number.textContent = text;
    level.style.width = `${(100 * held) / depth}%`;
    bar.classList.toggle("holds", held > 0);
    bar.setAttribute("aria-valuemax", String(depth));
    bar.setAttribute("aria-valuenow", String(held));
  }

  new ResizeObserver(route).observe(diagram);
  run.addEventListener("hello", draw);
  run.addEventListener("moment", update);
  run.addEventListener("select", () => {
    update();
    const box = boxes[run.block]?.box;
    if (!box) return;
    const [outer, inner] = [body.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) body.scrollTop += inner.top - outer.top - 20;
  });
}
