// Groups of nodes around their network, for clusters whose nodes have no room one by one.

import { svg } from "../dom.js";

/** Most nodes that are drawn one by one around their switch. */
export const MOST = 32;

/** Most boxes in a drawing. */
const BOXES = 64;

/** Size of a box. */
const [WIDTH, HEIGHT] = [25, 13];

/** Heights of the network between the upper and the lower boxes, and of the space in which units move. */
const [NETWORK, SPACE] = [10, 14];

/** Units at which a queue's bar has half of its length. */
const HALF = 8;

/** Places between both ends of a way; the units of a group at the same place are one dot. */
const STEPS = 8;

/**
 * @typedef {{shape: SVGElement, level: SVGElement, queue: SVGElement, x: number, upper: boolean}} Group
 * @typedef {{picture: SVGElement, show: (moment: import("../run.js").Moment, selected: number) => void,
 *   move: (run: import("../run.js").Run) => void}} Groups
 */

/**
 * Boxes for the nodes from `first` to `last`: one for each node, or one for each of at most 64 groups.
 * @param {number} first
 * @param {number} last
 * @param {number} columns boxes in a row
 * @param {(first: number, last: number) => void} choose
 * @returns {Groups}
 */
export function boxes(first, last, columns, choose) {
  const count = last - first + 1;
  const size = Math.ceil(count / BOXES);
  const number = Math.ceil(count / size);
  const rows = Math.ceil(number / columns);
  const upper = Math.ceil(rows / 2);
  const top = upper * HEIGHT;
  const bottom = top + 2 * SPACE + NETWORK;
  const height = bottom + (rows - upper) * HEIGHT;
  const picture = svg("svg", { viewBox: `0 0 ${columns * WIDTH} ${height}`, role: "group", "aria-label": `nodes ${first} to ${last}` });
  const moving = svg("g", { class: "moving" });
  const network = svg("rect", { class: "switch", x: 1, y: top + SPACE, width: columns * WIDTH - 2, height: NETWORK, rx: 2 });
  picture.append(network, moving);
  const label = svg("text", { class: "number", x: (columns * WIDTH) / 2, y: top + SPACE + NETWORK / 2 + 0.5 }, "network");
  /** @type {Group[]} */
  const groups = Array.from({ length: number }, (_, index) => {
    const from = first + index * size;
    const to = Math.min(last, from + size - 1);
    const row = Math.floor(index / columns);
    const isUpper = row < upper;
    const [x, y] = [(index % columns) * WIDTH, isUpper ? row * HEIGHT : bottom + (row - upper) * HEIGHT];
    const name = from === to ? `node ${from}` : `nodes ${from} to ${to}`;
    const pick = () => choose(from, to);
    // The units on all links of the group, as a bar.
    const level = svg("rect", { class: "queue", x: x + 2, y: y + HEIGHT - 3.5, width: 0, height: 2 });
    const shape = svg(
      "g",
      { class: "host", tabindex: 0, role: "button", "aria-label": name, click: pick,
        keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && pick() },
      svg("title", {}, name),
      svg("rect", { x: x + 1, y: y + 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 2 }),
      svg("text", { x: x + WIDTH / 2, y: y + HEIGHT / 2 + 0.5, class: from > 999 ? "number long" : "number" }, from === to ? `${from}` : `${from}…`),
      level,
    );
    // Each row of boxes has its own way to the network, and its own bar there.
    const way = x + WIDTH * (isUpper ? (row + 1) / (upper + 1) : (row - upper + 1) / (rows - upper + 1));
    const queue = svg("rect", { class: "queue", x: way - 1.5, y: top + SPACE, width: 3, height: 0 });
    picture.append(shape, queue);
    return { shape, level, queue, x: way, upper: isUpper };
  });
  picture.append(label);

  /** Index of the group of a node, or -1. @param {number} node */
  const groupOf = (node) => (node < first || node > last ? -1 : Math.floor((node - first) / size));

  /**
   * Shows what the links and the network hold for each group.
   * @param {import("../run.js").Moment} moment
   * @param {number} selected
   */
  function show({ links, queues }, selected) {
    const [flight, held] = [groups.map(() => 0), groups.map(() => 0)];
    for (const { node, in_flight } of links) if (groupOf(node) >= 0) flight[groupOf(node)] += in_flight;
    for (const { port, units } of queues) if (groupOf(port) >= 0) held[groupOf(port)] += units;
    groups.forEach(({ shape, level, queue }, index) => {
      shape.classList.toggle("selected", index === groupOf(selected));
      shape.classList.toggle("busy", flight[index] > 0);
      level.setAttribute("width", String(((WIDTH - 4) * flight[index]) / (flight[index] + HALF)));
      queue.setAttribute("height", String((NETWORK * held[index]) / (held[index] + HALF)));
    });
  }

  /**
   * Draws the units on the links: those of a group at the same place are one dot, which grows with their number.
   * @param {import("../run.js").Run} run
   */
  function move(run) {
    /** @type {Map<number, number>} */
    const dots = new Map();
    run.eachUnit(({ node, to_node }, unit) => {
      const group = groupOf(node);
      if (group < 0) return;
      const part = to_node ? unit : 1 - unit;
      const key = (group * 2 + Number(to_node)) * (STEPS + 1) + Math.round(part * STEPS);
      dots.set(key, (dots.get(key) ?? 0) + 1);
    });
    let at = 0;
    for (const [key, units] of dots) {
      const part = (key % (STEPS + 1)) / STEPS;
      const way = Math.floor(key / (STEPS + 1));
      const { x, upper } = groups[way >> 1];
      const shape = moving.children[at++] ?? moving.appendChild(svg("circle"));
      shape.setAttribute("class", way & 1 ? "unit in" : "unit");
      shape.setAttribute("r", String(1.2 + Math.min(1.8, Math.log2(units) / 3)));
      shape.setAttribute("cx", String(x + (way & 1 ? 2 : -2)));
      shape.setAttribute("cy", String(upper ? top + SPACE * (1 - part) : bottom - SPACE * (1 - part)));
    }
    while (moving.children.length > at) moving.lastChild?.remove();
  }

  return { picture, show, move };
}
