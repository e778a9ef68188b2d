// Nodes around their network, or in groups, and what their links and switches carry.

import { el, find, svg } from "../dom.js";
import { MOST, boxes } from "./groups.js";

/** Units at which a queue's bar has half of its length. */
const HALF = 8;

/** Faults after which units of a frame still move. */
const DAMAGE = /^(cut|corrupt)/;

/**
 * @param {import("../run.js").Run} run
 * @param {(node: number) => void} look
 * @param {(line: string) => Promise<any>} enter
 */
export function cluster(run, look, enter) {
  const body = find("#cluster .body");
  const note = el("p", { class: "note" });
  const faults = el("div", { class: "actions" }, "Next frame: ",
    ...["fault link drop 1", "fault link corrupt 320", "fault link cut 4", "fault clear"].map((line) =>
      el("button", { title: line, click: () => enter(line) }, line.replace("fault ", "").replace("link ", "")),
    ),
  );
  const stops = el("div", { class: "actions stops" });
  /** @type {SVGElement | null} */
  let moving = null;
  /** @type {Map<number, {shape: SVGElement, bar: SVGElement, queue: SVGElement, mark: SVGElement}>} */
  let nodes = new Map();
  /** @type {[number, number][]} */
  let places = [];
  /** Place of the switch. */
  let middle = [0, 0];
  /** @type {import("./groups.js").Groups | null} */
  let groups = null;
  /** The opened group, if any. @type {[number, number] | null} */
  let opened = null;
  const all = el("button", { click: () => open(null) }, "all groups");
  const narrow = matchMedia("(max-width: 800px)");

  /** @param {[number, number] | null} range */
  function open(range) {
    opened = range;
    draw();
  }

  /** @param {number} count */
  function drawGroups(count) {
    const [first, last] = opened ?? [0, count - 1];
    groups = boxes(first, last, narrow.matches ? 8 : 16, (first, last) => (first === last ? look(first) : open([first, last])));
    all.hidden = opened === null;
    faults.append(all);
    body.replaceChildren(groups.picture, faults, stops, note);
    update();
  }

  function draw() {
    const count = run.hello?.nodes ?? 0;
    nodes = new Map();
    places = [];
    groups = null;
    moving = null;
    if (count > MOST) return drawGroups(count);
    const width = 400;
    const height = count <= 2 ? 70 : 200;
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${count} nodes` });
    middle = [width / 2, height / 2];
    moving = svg("g", { class: "moving" });
    const links = svg("g", { class: "links" });
    picture.append(links, moving);
    picture.append(svg("rect", { class: "switch", x: middle[0] - 26, y: middle[1] - 13, width: 52, height: 26, rx: 4 }));
    for (let node = 0; node < count; node++) {
      const angle = Math.PI * (1 + (2 * node) / count);
      const [right, down] = [Math.cos(angle), Math.sin(angle)];
      const place = [middle[0] + 160 * right, middle[1] + (count > 2 ? 78 : 0) * down];
      places.push([place[0], place[1]]);
      const ends = { x1: place[0], y1: place[1], x2: middle[0], y2: middle[1] };
      links.append(
        svg("g", { class: "link", click: () => offer(node) }, svg("title", {}, `link of node ${node}`), svg("line", { ...ends, class: "reach" }), svg("line", ends)),
      );
      // The queue of the switch's output to the node stands on the link, beside the switch.
      const beside = [middle[0] + 44 * right, middle[1] + (count > 2 ? 30 : 0) * down];
      const queue = svg("rect", { class: "queue", x: beside[0] - 2, y: beside[1] + 3, width: 4, height: 0 }, svg("title", {}, ""));
      const mark = svg("text", { class: "mark", x: (place[0] * 2 + middle[0]) / 3, y: (place[1] * 2 + middle[1]) / 3 - 8 });
      const bar = svg("rect", { class: "queue", x: place[0] - 16, y: place[1] + 9, width: 0, height: 3 });
      const choose = () => look(node);
      const shape = svg(
        "g",
        { class: "host", tabindex: 0, role: "button", "aria-label": `node ${node}`, click: choose,
          keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && choose() },
        svg("rect", { x: place[0] - 20, y: place[1] - 14, width: 40, height: 28, rx: 4 }),
        svg("text", { x: place[0], y: place[1] + 4 }, String(node)),
        bar,
      );
      nodes.set(node, { shape, bar, queue, mark });
      picture.append(shape, queue, mark);
    }
    picture.append(svg("text", { class: "label", x: middle[0], y: middle[1] + 4 }, "switch"));
    body.replaceChildren(picture, faults, stops, note);
    update();
  }

  /**
   * Offers break points on the frames of a node.
   * @param {number} node
   */
  function offer(node) {
    if (stops.dataset.node === String(node)) return;
    stops.dataset.node = String(node);
    const lines = [`break frame from node${node}`, `break frame to node${node}`, `break frame lost from node${node}`];
    stops.replaceChildren("Stop at: ", ...lines.map((line) => el("button", { title: line, click: () => enter(line) }, line.replace("break ", ""))));
  }

  function update() {
    const moment = run.moment;
    if (!moment) return;
    for (const [node, { shape }] of nodes) shape.classList.toggle("selected", node === run.node);
    const texts = [];
    /** Units in flight on the links of each node. @type {Map<number, number>} */
    const busy = new Map();
    /** Faults of the frames on each link from a node. @type {Map<number, string>} */
    const marks = new Map();
    for (const link of moment.links) {
      if (link.in_flight) busy.set(link.node, (busy.get(link.node) ?? 0) + link.in_flight);
      if (link.fault) marks.set(link.node, link.fault);
      const way = link.to_node ? `link to node ${link.node}` : `link from node ${link.node}`;
      if (link.waiting.length) texts.push(`${way}, to come: ${link.waiting.join(", ")}`);
      if (link.struck.length) texts.push(`${way}, struck: ${link.struck.join(", ")}`);
    }
    const inside = moment.queues.reduce((sum, { units }) => sum + units, 0);
    groups?.show(moment, run.node);
    const queues = new Map(moment.queues.map(({ port, units }) => [port, units]));
    for (const [node, { shape, bar, queue, mark }] of nodes) {
      const units = busy.get(node) ?? 0;
      shape.classList.toggle("busy", units > 0);
      bar.setAttribute("width", String((32 * units) / (units + HALF)));
      const held = queues.get(node) ?? 0;
      queue.setAttribute("height", String((26 * held) / (held + HALF)));
      if (queue.firstChild) queue.firstChild.textContent = `${held} units in the switch for node ${node}`;
      const fault = marks.get(node) ?? "";
      mark.textContent = fault && `✕ ${fault}`;
    }
    move();
    const counts = [busy.size ? `Nodes with units on their links: ${busy.size}` : "All links are empty", inside ? `units in switches: ${inside}` : ""];
    note.textContent = texts.join("; ") || counts.filter(Boolean).join("; ") + ".";
  }

  /** Draws the units at the time of the picture. */
  function move() {
    if (groups) return groups.move(run);
    if (!moving) return;
    let count = 0;
    const dot = (/** @type {import("../run.js").Link} */ link, /** @type {number} */ unit) => {
      if (!moving) return;
      const [x, y] = places[link.node];
      const part = link.to_node ? unit : 1 - unit;
      const shape = moving.children[count] ?? moving.appendChild(svg("circle", { r: 3.5 }));
      shape.setAttribute("class", `unit${link.to_node ? " in" : ""}${DAMAGE.test(link.fault ?? "") ? " damaged" : ""}`);
      shape.setAttribute("cx", String(middle[0] + (x - middle[0]) * part));
      shape.setAttribute("cy", String(middle[1] + (y - middle[1]) * part + (link.to_node ? 5 : -5)));
      count += 1;
    };
    run.eachUnit(dot);
    while (moving.children.length > count) moving.lastChild?.remove();
  }

  narrow.addEventListener("change", draw);
  run.addEventListener("frame", move);
  run.addEventListener("hello", () => {
    draw();
    offer(run.node);
  });
  run.addEventListener("select", () => {
    offer(run.node);
    update();
  });
  run.addEventListener("moment", update);
}
