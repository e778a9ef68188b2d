// One block: its state diagram, its registers, and both sources with the arm of the present state.

import { el, find } from "../dom.js";

/**
 * @param {import("../run.js").Run} run
 * @param {Pick<import("../connection.js").Connection, "ask" | "figure">} connection
 * @param {(line: string) => Promise<any>} enter
 */
export function block(run, connection, enter) {
  const body = find("#block .body");
  const machines = el("div", { class: "machines" });
  const actions = el("div", { class: "actions" });
  const registers = el("div", { class: "registers" });
  const sources = el("div", { class: "sources" });
  body.append(machines, actions, registers, sources);
  /** @type {{svg: SVGElement | null, lane: import("../run.js").StateLane}[]} */
  let figures = [];
  /** @type {{lines: HTMLElement[], arms: any[], pane: HTMLElement, shown: string}[]} */
  let panes = [];
  /** @type {Map<string, {row: HTMLElement, value: HTMLElement, read: () => string}>} */
  let rows = new Map();
  let drawn = 0;

  async function draw() {
    const hello = run.hello;
    if (!hello) return;
    const mine = ++drawn;
    const shown = hello.blocks[run.block];
    find("#block h2").textContent = `Block: ${shown.path || hello.machine}`;
    drawRegisters(shown);
    actions.replaceChildren();
    const lanes = run.lanesOf[run.block];
    const [drawings, answer] = await Promise.all([
      Promise.all(lanes.map(({ table }) => drawing(connection, table.figure))),
      connection.ask({ type: "source", block: shown.path }),
    ]);
    if (mine !== drawn) return;
    figures = lanes.map((lane, index) => ({ lane, svg: drawings[index] }));
    machines.replaceChildren(
      ...figures.map(({ lane, svg }) => {
        if (svg) clickable(svg, lane, shown.path);
        return el("figure", {}, svg ?? list(lane, shown.path), el("figcaption", {}, lane.table.doc));
      }),
    );
    drawSources(answer.files ?? []);
    update();
  }

  /**
   * @param {SVGElement} svg
   * @param {import("../run.js").StateLane} lane
   * @param {string} path
   */
  function clickable(svg, lane, path) {
    for (const node of svg.querySelectorAll(".node")) {
      const state = node.querySelector("title")?.textContent ?? "";
      const choose = () => offer(lane, path, state);
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      node.addEventListener("click", choose);
      node.addEventListener("keydown", (event) => {
        if (/** @type {KeyboardEvent} */ (event).key === "Enter") choose();
      });
    }
    for (const edge of svg.querySelectorAll(".edge")) {
      const [from, to] = ends(edge);
      edge.addEventListener("click", () => {
        actions.replaceChildren(button(`break ${prefix()}${path} ${from}->${to}`));
      });
    }
  }

  const prefix = () => (run.node === run.moment?.here ? "" : `node${run.node}.`);

  /**
   * Offers the lines that concern a state.
   * @param {import("../run.js").StateLane} lane
   * @param {string} path
   * @param {string} state
   */
  function offer(lane, path, state) {
    const register = `${prefix()}${path ? path + "." : ""}${lane.register.name}`;
    actions.replaceChildren(
      button(`run until ${register} == ${state}`),
      button(`break ${register} == ${state}`),
    );
  }

  /**
   * Offers the lines that concern a register.
   * @param {string} register
   * @param {string} value
   * @param {number} width
   */
  function offerRegister(register, value, width) {
    const lines = [`watch ${register}`, ...(width <= 64 ? [`break ${register} == ${value}`] : [])];
    if (run.moment?.nic !== "model") lines.push(`flip ${register} 0`);
    actions.replaceChildren(...lines.map(button));
  }

  /** @param {string} line */
  const button = (line) => el("button", { click: () => enter(line) }, line);

  /**
   * The states of a machine without a drawing.
   * @param {import("../run.js").StateLane} lane
   * @param {string} path
   */
  function list(lane, path) {
    const items = lane.table.states.map(({ name, doc }) =>
      el("li", {}, el("button", { "data-state": name, click: () => offer(lane, path, name) }, name), " " + doc),
    );
    return el("ol", { class: "states" }, ...items);
  }

  /** @param {import("../run.js").Block} shown */
  function drawRegisters(shown) {
    rows = new Map();
    const groups = /** @type {const} */ ([
      ["register", "Registers"],
      ["inputs", "Input pins"],
      ["outputs", "Output pins"],
    ]);
    registers.replaceChildren();
    for (const [role, title] of groups) {
      const all = shown.registers.filter((register) => register.role === role);
      if (!all.length) continue;
      const table = el("table", {});
      for (const register of all) {
        if (role === "register") {
          const read = () => both(register.word, 0, register.width, register.table);
          table.append(row(register.name, register.name, `${register.width} bits`, register.width, read, shown.path));
        }
        for (const field of register.fields) {
          const read = () => both(register.word, field.offset, field.width, field.table);
          const name = role === "register" ? `${register.name}.${field.name}` : field.name;
          const path = role === "register" ? shown.path : null;
          table.append(row(`${register.name}.${field.name}`, name, field.doc, field.width, read, path));
        }
      }
      const open = role === "register";
      registers.append(el("details", { open }, el("summary", {}, `${title} (${all.length})`), table));
    }
  }

  /**
   * A value, and that of the RTL if it differs.
   * @param {number} word
   * @param {number} offset
   * @param {number} width
   * @param {number | null} table
   */
  function both(word, offset, width, table) {
    const [model, rtl] = [run.bits(word, offset, width), run.bits(word, offset, width, true)];
    return model === rtl ? run.show(model, table) : `${run.show(model, table)} ≠ RTL ${run.show(rtl, table)}`;
  }

  /**
   * @param {string} key
   * @param {string} name
   * @param {string} doc
   * @param {number} width
   * @param {() => string} read
   * @param {string | null} path block of a register; null for pins, which dsh does not name
   */
  function row(key, name, doc, width, read, path) {
    const value = el("td", { class: "value" });
    const choose = () => offerRegister(`${prefix()}${path ? path + "." : ""}${name}`, read().split(" ")[0], width);
    const head = path === null ? name : el("button", { click: choose }, name);
    const line = el("tr", { title: doc }, el("th", { scope: "row" }, head), el("td", { class: "width" }, String(width)), value);
    rows.set(key, { row: line, value, read });
    return line;
  }

  /** @param {any[]} files */
  function drawSources(files) {
    panes = files.map(({ path, language, text, arms }) => {
      const lines = (text ?? "The file is not on this computer.").split("\n").map((/** @type {string} */ line) => {
        const at = line.indexOf("//");
        const code = at < 0 ? line : line.slice(0, at);
        return el("span", { class: "line" }, code, at < 0 ? null : el("i", {}, line.slice(at)), "\n");
      });
      const pane = el("pre", { class: language, tabindex: "0", "aria-label": path }, ...lines);
      return { lines, arms, pane, shown: "" };
    });
    sources.replaceChildren(
      ...panes.map(({ pane }, index) => el("div", { class: "source" }, el("h3", {}, files[index].path), pane)),
    );
  }

  function update() {
    const states = run.states(run.block);
    for (const { svg, lane } of figures) {
      const now = states.find((state) => state.lane === lane)?.state;
      const before = run.before(lane);
      machines.querySelectorAll("[data-state]").forEach((item) => {
        item.classList.toggle("now", item.getAttribute("data-state") === now);
      });
      svg?.querySelectorAll(".node").forEach((node) => {
        node.classList.toggle("now", node.querySelector("title")?.textContent === now);
      });
      svg?.querySelectorAll(".edge").forEach((edge) => {
        const [from, to] = ends(edge);
        edge.classList.toggle("last", from === before && to === now);
      });
    }
    for (const { row, value, read } of rows.values()) {
      const text = read();
      row.classList.toggle("differs", text.includes("≠"));
      row.classList.toggle("changed", value.textContent !== "" && value.textContent !== text);
      if (value.textContent !== text) value.textContent = text;
    }
    for (const each of panes) mark(each, states);
  }

  /**
   * Marks the arm of the present state, and scrolls to it once the state changes.
   * @param {{lines: HTMLElement[], arms: any[], pane: HTMLElement, shown: string}} each
   * @param {{lane: import("../run.js").StateLane, state: string}[]} states
   */
  function mark(each, states) {
    const key = states.map(({ state }) => state).join();
    if (key === each.shown) return;
    each.shown = key;
    each.pane.querySelectorAll(".arm").forEach((line) => line.classList.remove("arm"));
    for (const { lane, state } of states) {
      const arm = each.arms.find((arm) => arm.register === lane.register.name && arm.state === state);
      if (!arm) continue;
      const lines = each.lines.slice(arm.first, arm.first + arm.count);
      lines.forEach((line) => line.classList.add("arm"));
      each.pane.scrollTop = lines[0].offsetTop - each.pane.clientHeight / 3;
    }
  }

  run.addEventListener("hello", draw);
  run.addEventListener("select", draw);
  run.addEventListener("moment", update);
}

/**
 * The states at both ends of an edge of a drawing, without its ports.
 * @param {Element} edge
 */
function ends(edge) {
  const title = edge.querySelector("title")?.textContent ?? "";
  return title.split("->").map((end) => end.split(":")[0]);
}

/** @type {Map<string, Promise<Document | null>>} */
const drawings = new Map();

/**
 * A copy of a drawing, without the colours of paper; null if there is none.
 * @param {Pick<import("../connection.js").Connection, "figure">} connection
 * @param {string} name
 * @returns {Promise<SVGElement | null>}
 */
async function drawing(connection, name) {
  let found = drawings.get(name);
  if (!found) {
    found = connection
      .figure(name)
      .then((text) => (text ? new DOMParser().parseFromString(text, "image/svg+xml") : null));
    drawings.set(name, found);
  }
  const document = await found;
  const root = document?.querySelector("svg");
  if (!root) return null;
  const copy = /** @type {SVGElement} */ (window.document.importNode(root, true));
  copy.querySelector(".graph > polygon")?.remove();
  for (const element of copy.querySelectorAll("[fill], [stroke]")) {
    for (const paint of ["fill", "stroke"]) {
      if (!["none", "transparent"].includes(element.getAttribute(paint) ?? "none")) element.removeAttribute(paint);
    }
  }
  // Links of Graphviz only carry tooltips, and an id must not occur twice.
  for (const element of copy.querySelectorAll("[id]")) element.removeAttribute("id");
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  copy.removeAttribute("width");
  copy.removeAttribute("height");
  const [, , width] = (copy.getAttribute("viewBox") ?? "0 0 300 300").split(" ").map(Number);
  copy.style.maxWidth = `${Math.round(width * 1.25)}px`;
  return copy;
}
