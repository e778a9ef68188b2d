// What a view shows, as an SVG file that opens by itself.

import { svg } from "./dom.js";

/** Computed styles that shapes of a drawing keep. */
const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];

/**
 * A pen that draws filled rectangles and texts, whose vertical middle is given.
 * @typedef {{rect: (x: number, y: number, width: number, height: number, fill: string, opacity: number) => void,
 *   text: (text: string, x: number, y: number, fill: string, opacity: number, most?: number) => void,
 *   width: (text: string) => number}} Pen
 */

/**
 * A pen on a canvas.
 * @param {CanvasRenderingContext2D} context
 * @returns {Pen}
 */
export function canvasPen(context) {
  return {
    rect(x, y, width, height, fill, opacity) {
      context.globalAlpha = opacity;
      context.fillStyle = fill;
      context.fillRect(x, y, width, height);
    },
    text(text, x, y, fill, opacity, most) {
      context.globalAlpha = opacity;
      context.fillStyle = fill;
      context.fillText(text, x, y, most);
    },
    width: (text) => context.measureText(text).width,
  };
}

/**
 * A pen on a drawing. Texts have the widths of the canvas.
 * @param {SVGElement} drawing
 * @param {CanvasRenderingContext2D} context
 * @returns {Pen}
 */
export function svgPen(drawing, context) {
  const width = (/** @type {string} */ text) => context.measureText(text).width;
  return {
    rect(x, y, width, height, fill, opacity) {
      drawing.append(svg("rect", { x, y, width, height, fill, opacity }));
    },
    text(text, x, y, fill, opacity, most = Infinity) {
      const narrow = width(text) > most ? { textLength: most, lengthAdjust: "spacingAndGlyphs" } : {};
      drawing.append(svg("text", { x, y: y + 4, fill, opacity, "font-family": "system-ui, sans-serif", "font-size": 11, ...narrow }, text));
    },
    width,
  };
}

/**
 * An empty drawing on the colour of the page.
 * @param {number} width
 * @param {number} height
 */
export function drawing(width, height) {
  const fill = getComputedStyle(document.documentElement).getPropertyValue("--panel").trim();
  return svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` },
    svg("rect", { width, height, fill }),
  );
}

/**
 * The content of an element, scrolled parts included.
 * @param {HTMLElement} element
 */
export function contentOf(element) {
  const { left, top } = element.getBoundingClientRect();
  const picture = drawing(element.scrollWidth, element.scrollHeight);
  const place = (/** @type {DOMRect} */ rect) => ({
    x: rect.left - left + element.scrollLeft,
    y: rect.top - top + element.scrollTop,
    width: rect.width,
    height: rect.height,
  });
  for (const child of element.childNodes) append(picture, child, place);
  return picture;
}

/**
 * @param {SVGElement} picture
 * @param {Node} node
 * @param {(rect: DOMRect) => {x: number, y: number, width: number, height: number}} place
 */
function append(picture, node, place) {
  if (node instanceof Text) return appendText(picture, node, place);
  if (!(node instanceof Element)) return;
  const rect = node.getBoundingClientRect();
  if (!rect.width || !rect.height) return;
  if (node instanceof SVGSVGElement) {
    const copy = /** @type {SVGSVGElement} */ (node.cloneNode(true));
    const [shapes, copies] = [node.querySelectorAll("*"), copy.querySelectorAll("*")];
    shapes.forEach((shape, index) => {
      const style = getComputedStyle(shape);
      for (const name of KEPT) copies[index].setAttribute(name, style.getPropertyValue(name));
    });
    for (const [name, value] of Object.entries(place(rect))) copy.setAttribute(name, String(value));
    picture.append(copy);
    return;
  }
  const style = getComputedStyle(node);
  const border = parseFloat(style.borderTopWidth);
  const hasFill = style.backgroundColor !== "rgba(0, 0, 0, 0)";
  if (border > 0 || hasFill) {
    const { x, y, width, height } = place(rect);
    picture.append(
      svg("rect", {
        x: x + border / 2, y: y + border / 2, width: width - border, height: height - border,
        rx: Math.min(parseFloat(style.borderTopLeftRadius), height / 2),
        fill: hasFill ? style.backgroundColor : "none",
        stroke: border > 0 ? style.borderTopColor : "none",
        "stroke-width": border,
        "stroke-dasharray": style.borderTopStyle === "dashed" ? "3 2" : null,
      }),
    );
  }
  for (const child of node.childNodes) append(picture, child, place);
}

/**
 * Appends the words of a text, each line as one text.
 * @param {SVGElement} picture
 * @param {Text} text
 * @param {(rect: DOMRect) => {x: number, y: number, width: number, height: number}} place
 */
function appendText(picture, text, place) {
  if (!text.parentElement) return;
  const style = getComputedStyle(text.parentElement);
  /** @type {{x: number, y: number, height: number, words: string[]}[]} */
  const lines = [];
  for (const word of text.data.matchAll(/\S+/g)) {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const { x, y, width, height } = place(range.getBoundingClientRect());
    if (!width) continue;
    const last = lines.at(-1);
    if (last && Math.abs(last.y - y) < 2) last.words.push(word[0]);
    else lines.push({ x, y, height, words: [word[0]] });
  }
  for (const { x, y, height, words } of lines) {
    picture.append(
      svg("text", {
        x, y: y + height * 0.78, fill: style.color,
        "font-family": style.fontFamily, "font-size": style.fontSize, "font-weight": style.fontWeight,
      }, words.join(" ")),
    );
  }
}

/**
 * Saves a drawing as a file.
 * @param {SVGElement} picture
 * @param {string} name
 */
export function save(picture, name) {
  const file = new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
