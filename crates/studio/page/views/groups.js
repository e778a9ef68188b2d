// Groups of nodes, for clusters whose nodes have no room one by one.

import { svg } from "../dom.js";

/** Most nodes that are drawn one by one around their switch. */
export const MOST = 32;

/** Most boxes in a drawing. */
const BOXES = 64;

/** Columns of boxes, and the size of a box. */
const [COLUMNS, WIDTH, HEIGHT] = [16, 25, 15];

/**
 * @typedef {{first: number, last: number, shape: SVGElement, level: SVGElement}} Group
 */

/**
 * Boxes for the nodes from `first` to `last`: one for each node, or one for each of at most 64 groups.
 * @param {number} first
 * @param {number} last
 * @param {(first: number, last: number) => void} choose
 * @returns {{picture: SVGElement, groups: Group[]}}
 */
export function boxes(first, last, choose) {
  const count = last - first + 1;
  const size = Math.ceil(count / BOXES);
  const number = Math.ceil(count / size);
  const height = Math.ceil(number / COLUMNS) * HEIGHT;
  const picture = svg("svg", { viewBox: `0 0 ${COLUMNS * WIDTH} ${height}`, role: "group", "aria-label": `nodes ${first} to ${last}` });
  const groups = Array.from({ length: number }, (_, index) => {
    const from = first + index * size;
    const to = Math.min(last, from + size - 1);
    const [x, y] = [(index % COLUMNS) * WIDTH, Math.floor(index / COLUMNS) * HEIGHT];
    const name = from === to ? `node ${from}` : `nodes ${from} to ${to}`;
    const pick = () => choose(from, to);
    // The queue of all links of the group, as a bar.
    const level = svg("rect", { class: "queue", x: x + 2, y: y + HEIGHT - 4, width: 0, height: 2 });
    const shape = svg(
      "g",
      { class: "host", tabindex: 0, role: "button", "aria-label": name, click: pick,
        keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && pick() },
      svg("title", {}, name),
      svg("rect", { x: x + 1, y: y + 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 2 }),
      svg("text", { x: x + WIDTH / 2, y: y + HEIGHT / 2 + 1, class: "number" }, from === to ? `${from}` : `${from}…`),
      level,
    );
    picture.append(shape);
    return { first: from, last: to, shape, level };
  });
  return { picture, groups };
}

/**
 * Shows what the links of each group carry.
 * @param {Group[]} groups
 * @param {import("../run.js").Link[]} links
 * @param {number} selected
 */
export function show(groups, links, selected) {
  const size = groups.length ? groups[0].last - groups[0].first + 1 : 1;
  const flight = groups.map(() => 0);
  for (const { node, in_flight } of links) {
    const at = Math.floor((node - groups[0].first) / size);
    if (at in flight) flight[at] += in_flight;
  }
  groups.forEach(({ first, last, shape, level }, index) => {
    shape.classList.toggle("selected", first <= selected && selected <= last);
    shape.classList.toggle("busy", flight[index] > 0);
    level.setAttribute("width", String(((WIDTH - 4) * flight[index]) / (flight[index] + 8)));
  });
}
