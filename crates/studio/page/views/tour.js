// A tour: text, a selected block and lines of the shell, step by step.

import { el, find } from "../dom.js";

/**
 * @typedef {{title: string, text: string[], node: number, block: string | null,
 *   lines: {line: string, back: boolean, fails: boolean}[]}} Step
 * @typedef {{title: string, text: string, steps: Step[]}} Tour
 */

/**
 * @param {import("../run.js").Run} run
 * @param {(node: number) => void} look
 * @param {(line: string, back?: boolean) => Promise<any>} enter
 */
export function tour(run, look, enter) {
  const place = find("#tour");
  const choice = /** @type {HTMLSelectElement} */ (el("select", { "aria-label": "Tours", change: () => begin(choice.selectedIndex - 1) }));
  const text = el("div", { class: "text", role: "status" });
  const next = /** @type {HTMLButtonElement} */ (el("button", { id: "next", click: () => step() }, "Next"));
  place.append(choice, text, next);
  /** @type {Tour | null} */
  let chosen = null;
  let at = -1;
  let busy = false;

  run.addEventListener("hello", () => {
    const tours = /** @type {Tour[]} */ (run.hello?.tours ?? []);
    place.hidden = tours.length === 0;
    if (choice.childElementCount === tours.length + 1) return;
    choice.replaceChildren(el("option", {}, "Tours"), ...tours.map(({ title }) => el("option", {}, title)));
    show();
  });

  /** @param {number} index */
  function begin(index) {
    chosen = /** @type {Tour[]} */ (run.hello?.tours ?? [])[index] ?? null;
    at = -1;
    show();
  }

  /** Goes to the next step: selects its block and executes its lines. */
  async function step() {
    if (!chosen || busy) return;
    if (at + 1 >= chosen.steps.length) {
      choice.selectedIndex = 0;
      begin(-1);
      return;
    }
    at += 1;
    busy = true;
    show();
    const { node, block, lines } = chosen.steps[at];
    const index = run.hello?.blocks.findIndex(({ path }) => path === block) ?? -1;
    if (block !== null && node !== run.node) look(node);
    if (index >= 0) run.select(index);
    for (const { line, back, fails } of lines) {
      const answer = await enter(line, back);
      if (answer.type === "refused" || (answer.error && !fails)) break;
    }
    busy = false;
    show();
  }

  function show() {
    next.hidden = chosen === null;
    if (!chosen) {
      text.replaceChildren();
      return;
    }
    const step = chosen.steps[at];
    const count = chosen.steps.length;
    text.replaceChildren(
      step ? el("b", {}, `${at + 1}/${count} ${step.title}. `) : el("b", {}, `${chosen.title}. `),
      ...(step ? step.text : [chosen.text]).map((paragraph) => el("span", {}, paragraph + " ")),
    );
    next.textContent = at < 0 ? "Begin" : at + 1 < count ? "Next" : "End";
    next.disabled = busy;
    place.dataset.step = String(at);
  }
}
