// The blocks of the device, nested as in its hierarchy, each with its state.

import { el, find } from "../dom.js";

/** @param {import("../run.js").Run} run */
export function device(run) {
  const body = find("#device .body");
  /** @type {{box: HTMLElement, chips: HTMLElement[]}[]} */
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
      const isLeaf = !hello.blocks.some(({ path }) => path.startsWith(block.path + ".") || block.path === "");
      // Memories and other shared parts of the kit are small.
      const small = isLeaf && block.rust_type.startsWith("hdl::");
      const box = el("div", { class: small ? "box small" : "box" }, el("div", { class: "head" }, button, ...chips), children);
      inside.set(block.path, children);
      const parent = block.path === "" ? body : inside.get(at < 0 ? "" : block.path.slice(0, at));
      (parent ?? body).append(box);
      return { box, chips };
    });
    update();
  }

  function update() {
    const hello = run.hello;
    if (!hello) return;
    hello.blocks.forEach((block, index) => {
      const { box, chips } = boxes[index];
      const states = run.states(index);
      states.forEach(({ state, code, lane }, at) => {
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
