// The blocks of the device, nested as in its hierarchy, each with its state; FIFOs with their fill.

import { el, find } from "../dom.js";

/** @param {import("../run.js").Run} run */
export function device(run) {
  const body = find("#device .body");
  /** @type {{box: HTMLElement, chips: HTMLElement[], bar: HTMLElement | null}[]} */
  let boxes = [];

  function draw() {
    const hello = run.hello;
    if (!hello) return;
    find("#device h2").textContent = `Device: ${hello.title}, node ${run.node}`;
    /** @type {Map<string, HTMLElement>} */
    const inside = new Map();
    body.replaceChildren();
    boxes = hello.blocks.map((block, index) => {
      const at = block.path.lastIndexOf(".");
      const name = block.path.slice(at + 1) || hello.machine;
      const chips = run.lanes.filter((lane) => lane.block === index).map(() => el("span", { class: "chip" }));
      const button = el(
        "button",
        { class: "name", title: block.rust_type, click: () => run.select(index) },
        name.replaceAll("_", " "),
      );
      const children = el("div", { class: "children" });
      const bar = run.pointers[index] ? el("span", { class: "fill", role: "meter", "aria-valuemin": 0, "aria-label": `fill of ${name}` }, el("i"), el("b")) : null;
      const isLeaf = !hello.blocks.some(({ path }) => path.startsWith(block.path + ".") || block.path === "");
      // Memories and other shared parts of the kit are small.
      const small = isLeaf && block.rust_type.startsWith("hdl::");
      const box = el("div", { class: small ? "box small" : "box" }, el("div", { class: "head" }, button, ...chips, bar), children);
      inside.set(block.path, children);
      const parent = block.path === "" ? body : inside.get(at < 0 ? "" : block.path.slice(0, at));
      (parent ?? body).append(box);
      return { box, chips, bar };
    });
    update();
  }

  function update() {
    const hello = run.hello;
    if (!hello) return;
    hello.blocks.forEach((block, index) => {
      const { box, chips, bar } = boxes[index];
      if (bar) showFill(bar, /** @type {{held: number, depth: number}} */ (run.fill(index)));
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
  }

  /**
   * @param {HTMLElement} bar
   * @param {{held: number, depth: number}} fill
   */
  function showFill(bar, { held, depth }) {
    const text = `${held} / ${depth}`;
    const [level, number] = /** @type {HTMLCollectionOf<HTMLElement>} */ (bar.children);
    if (number.textContent === text) return;
    number.textContent = text;
    level.style.width = `${(100 * held) / depth}%`;
    bar.classList.toggle("holds", held > 0);
    bar.setAttribute("aria-valuemax", String(depth));
    bar.setAttribute("aria-valuenow", String(held));
  }

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
