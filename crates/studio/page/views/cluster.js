// Nodes around their network, or in groups, and what their links carry.

import { el, find, svg } from "../dom.js";
import { MOST, boxes, show } from "./groups.js";

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
  /** @type {SVGElement | null} */
  let moving = null;
  /** @type {Map<number, SVGElement>} */
  let nodes = new Map();
  /** @type {[number, number][]} */
  let places = [];
  /** Place of the switch. */
  let middle = [0, 0];
  /** @type {import("./groups.js").Group[]} */
  let groups = [];
  /** The opened group, if any. @type {[number, number] | null} */
  let opened = null;
  const all = el("button", { click: () => open(null) }, "all groups");

  /** @param {[number, number] | null} range */
  function open(range) {
    opened = range;
    draw();
  }

  /** @param {number} count */
  function drawGroups(count) {
    const [first, last] = opened ?? [0, count - 1];
    const drawn = boxes(first, last, (first, last) => (first === last ? look(first) : open([first, last])));
    groups = drawn.groups;
    all.hidden = opened === null;
    body.replaceChildren(drawn.picture, faults, all, note);
    update();
  }

  function draw() {
    const count = run.hello?.nodes ?? 0;
    nodes = new Map();
    places = [];
    groups = [];
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
      const place = [middle[0] + 160 * Math.cos(angle), middle[1] + (count > 2 ? 78 : 0) * Math.sin(angle)];
      places.push([place[0], place[1]]);
      links.append(svg("line", { x1: place[0], y1: place[1], x2: middle[0], y2: middle[1] }));
      const choose = () => look(node);
      const shape = svg(
        "g",
        { class: "host", tabindex: 0, role: "button", "aria-label": `node ${node}`, click: choose,
          keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && choose() },
        svg("rect", { x: place[0] - 20, y: place[1] - 14, width: 40, height: 28, rx: 4 }),
        svg("text", { x: place[0], y: place[1] + 4 }, String(node)),
        svg("rect", { class: "queue", x: place[0] - 16, y: place[1] + 9, width: 0, height: 3 }),
      );
      nodes.set(node, shape);
      picture.append(shape);
    }
    picture.append(svg("text", { class: "label", x: middle[0], y: middle[1] + 4 }, "switch"));
    body.replaceChildren(picture, faults, note);
    update();
  }

  function update() {
    const moment = run.moment;
    if (!moment) return;
    if (groups.length) show(groups, moment.links, run.node);
    for (const [node, shape] of nodes) shape.classList.toggle("selected", node === run.node);
    const texts = [];
    /** Units in flight on the links of each node. @type {Map<number, number>} */
    const busy = new Map();
    for (const link of moment.links) {
      if (link.in_flight) busy.set(link.node, (busy.get(link.node) ?? 0) + link.in_flight);
      const way = link.to_node ? `link to node ${link.node}` : `link from node ${link.node}`;
      if (link.waiting.length) texts.push(`${way}, to come: ${link.waiting.join(", ")}`);
      if (link.struck.length) texts.push(`${way}, struck: ${link.struck.join(", ")}`);
    }
    for (const [node, shape] of nodes) {
      const queue = busy.get(node) ?? 0;
      shape.classList.toggle("busy", queue > 0);
      shape.querySelector(".queue")?.setAttribute("width", String((32 * queue) / (queue + 8)));
    }
    move();
    note.textContent = texts.join("; ") || (busy.size ? `Nodes with units on their links: ${busy.size}.` : "All links are empty.");
  }

  /** Draws the units at the time of the picture. */
  function move() {
    const { moment, previous } = run;
    if (!moment || !moving || groups.length) return;
    const now = run.shown();
    let count = 0;
    const dot = (/** @type {import("../run.js").Link} */ link, /** @type {number} */ unit) => {
      if (unit < 0 || unit > 1 || !moving) return;
      const [x, y] = places[link.node];
      const part = link.to_node ? unit : 1 - unit;
      const shape = moving.children[count] ?? moving.appendChild(svg("circle", { r: 3.5 }));
      shape.setAttribute("class", link.to_node ? "unit in" : "unit");
      shape.setAttribute("cx", String(middle[0] + (x - middle[0]) * part));
      shape.setAttribute("cy", String(middle[1] + (y - middle[1]) * part + (link.to_node ? 5 : -5)));
      count += 1;
    };
    for (const link of moment.links) {
      for (const unit of link.units) dot(link, unit - (moment.time_ps - now) / link.flight_ps);
    }
    // Units that have arrived since the moment before.
    for (const link of previous?.links ?? []) {
      for (const unit of link.units) {
        const moved = (/** @type {number} */ ps) => unit + (ps - (previous?.time_ps ?? 0)) / link.flight_ps;
        if (moved(moment.time_ps) >= 1) dot(link, moved(now));
      }
    }
    while (moving.children.length > count) moving.lastChild?.remove();
  }

  run.addEventListener("frame", move);
  run.addEventListener("hello", draw);
  run.addEventListener("select", update);
  run.addEventListener("moment", update);
}
