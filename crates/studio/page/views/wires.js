// The wires of the block diagram, lit while they carry something.

import { svg } from "../dom.js";
import { Grid } from "./route.js";

/** Radius of corners in pixels. */
const ROUND = 3;

/**
 * @typedef {import("./route.js").Box} Box
 */

/**
 * @param {import("../run.js").Run} run
 * @param {HTMLElement} diagram contains the boxes
 * @param {(end: string) => HTMLElement | undefined} place the box of a block or port
 * @param {(path: string) => void} choose called for the block at an end of a wire
 * @returns {{draw: () => void, update: () => void}}
 */
export function wires(run, diagram, place, choose) {
  const picture = svg("svg", { class: "wires", "aria-hidden": "true" });
  /** @type {{shape: SVGElement, wire: import("../run.js").Wire}[]} */
  let shapes = [];

  /** Finds the ways between the boxes where they are now. */
  function draw() {
    const { left, top } = diagram.getBoundingClientRect();
    const [width, height] = [diagram.clientWidth, diagram.scrollHeight];
    if (!width || !height) return;
    /** @param {Element} element @returns {Box} */
    const box = (element) => {
      const rect = element.getBoundingClientRect();
      return { left: rect.left - left, top: rect.top - top, right: rect.right - left, bottom: rect.bottom - top };
    };
    const obstacles = [...diagram.querySelectorAll(".box.leaf, .port, .box:not(.leaf, .root) > .head")].map(box);
    const grid = new Grid(width, height, obstacles);
    picture.replaceChildren(
      svg("marker", { id: "arrow", viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 5, markerHeight: 5, orient: "auto", markerUnits: "userSpaceOnUse" }, svg("path", { d: "M0 0L6 3L0 6z" })),
    );
    picture.setAttribute("width", String(width));
    picture.setAttribute("height", String(height));
    shapes = [];
    for (const wire of run.hello?.layout.wires ?? []) {
      const [from, to] = [place(wire.from), place(wire.to)];
      const way = from && to && grid.route(box(from), box(to));
      if (!way) continue;
      const block = wire.from.startsWith("(") ? wire.to : wire.from;
      const shape = svg("g", { class: "wire", click: () => choose(block) },
        svg("title", {}, `${wire.from} → ${wire.to}: ${wire.pins.map(({ name, inverted }) => (inverted ? "not " : "") + name).join(", ")}`),
        svg("path", { d: rounded(way), class: "reach" }),
        svg("path", { d: rounded(way), "marker-end": "url(#arrow)" }),
      );
      shapes.push({ shape, wire });
    }
    picture.append(...shapes.map(({ shape }) => shape));
    diagram.append(picture);
    update();
  }

  function update() {
    for (const { shape, wire } of shapes) {
      const carries = wire.pins.some(({ word, offset, width, inverted }) => (run.bits(word, offset, width) !== 0n) !== inverted);
      shape.classList.toggle("lit", carries);
    }
  }

  return { draw, update };
}

/**
 * A line with round corners.
 * @param {[number, number][]} points
 */
function rounded(points) {
  let line = `M${points[0]}`;
  for (let at = 1; at + 1 < points.length; at++) {
    const [before, corner, after] = points.slice(at - 1, at + 2);
    line += `L${toward(corner, before)}Q${corner} ${toward(corner, after)}`;
  }
  return line + `L${points[points.length - 1]}`;
}

/**
 * The point at the radius of corners from one point to another.
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
function toward([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const part = Math.min(0.5, ROUND / length);
  return [x + (toX - x) * part, y + (toY - y) * part];
}
