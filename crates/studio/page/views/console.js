// The shell: lines, their output, completion and history.

import { el, find } from "../dom.js";

/** Most lines that stay on the page. */
const MOST = 400;

/**
 * @param {import("../run.js").Run} run
 * @param {Pick<import("../connection.js").Connection, "ask">} connection
 * @param {(line: string, back?: boolean) => Promise<any>} enter
 */
export function shell(run, connection, enter) {
  const body = find("#console .body");
  const log = el("div", { class: "log", role: "log", tabindex: "0", "aria-label": "Lines and their output" });
  const input = /** @type {HTMLInputElement} */ (
    el("input", { type: "text", "aria-label": "Line of the shell", placeholder: "h lists all commands; Tab completes", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 4096 })
  );
  const back = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
  const breaks = el("div", { class: "breaks" });
  const words = el("div", { class: "words" });
  const examples = el("div", { class: "examples" });
  const form = el("form", {}, el("label", { class: "prompt" }, "dsh > ", input));
  const before = el("label", { class: "before", title: "The line is executed, then time goes back to its beginning, so that it can be followed step by step." }, back, " then go back to its beginning");
  const ended = el("p", { class: "ended" }, "This run has ended: time goes forward and back in its recording, also to break points on registers and arcs. Faults and other lines need memonet studio without a program.");
  body.append(ended, log, breaks, words, form, before, examples);
  /** @type {string[]} */
  const history = [];
  let at = 0;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const line = input.value;
    if (!line.trim()) return;
    history.push(line);
    at = history.length;
    input.value = "";
    words.textContent = "";
    await enter(line, back.checked);
  });

  input.addEventListener("keydown", async (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      at = Math.max(0, Math.min(history.length, at + (event.key === "ArrowUp" ? -1 : 1)));
      input.value = history[at] ?? "";
    } else if (event.key === "Tab" && !event.shiftKey && input.value !== "") {
      event.preventDefault();
      const typed = input.value;
      const answer = await connection.ask({ type: "complete", id: 0, line: typed });
      if (input.value !== typed || answer.type !== "completions" || !answer.words.length) return;
      const start = Array.from(typed).slice(0, answer.start).join("");
      input.value = start + common(answer.words) + (answer.words.length === 1 && !/[.=]$/.test(answer.words[0]) ? " " : "");
      words.textContent = answer.words.length > 1 ? answer.words.slice(0, 60).join("  ") : "";
    }
  });

  /** @param {{line: string, text: string, error: string | null, to_ps?: number}} said `to_ps`: time after the line */
  function say({ line, text, error, to_ps }) {
    log.append(
      el("div", { class: "said", "data-ps": to_ps }, el("b", {}, `dsh > ${line}`), text ? el("pre", {}, text.trimEnd()) : null, error ? el("pre", { class: "error" }, error) : null),
    );
    while (log.childElementCount > MOST) log.firstElementChild?.remove();
    // A long output is read from its beginning.
    const last = /** @type {HTMLElement} */ (log.lastElementChild);
    log.scrollTop = last.offsetHeight > log.clientHeight ? last.offsetTop - log.offsetTop : log.scrollHeight;
  }

  run.addEventListener("moment", () => {
    const points = run.moment?.breaks ?? [];
    if (breaks.dataset.shown === points.join()) return;
    breaks.dataset.shown = points.join();
    breaks.replaceChildren(
      ...points.map((point, index) => el("button", { title: "Deletes the break point", click: () => enter(`delete ${index + 1}`) }, `● ${point} ×`)),
    );
  });

  run.addEventListener("hello", () => {
    examples.replaceChildren(
      ...(run.hello?.examples ?? []).map((line) =>
        el("button", { title: "Puts the line at the prompt", click: () => { input.value = line; input.focus(); } }, line),
      ),
    );
  });
  return { say, input };
}

/** @param {string[]} words the longest beginning that all words share */
function common(words) {
  let start = words[0];
  for (const word of words) while (!word.startsWith(start)) start = start.slice(0, -1);
  return start;
}
