// Stages of the last message of a node, as a list that sums to the picosecond.

import { el, time } from "../dom.js";

/**
 * @typedef {{name: string, place: string, begin_ps: number, duration_ps: number}} Stage
 * @typedef {{heading: string, stages: Stage[], total_ps: number}} Stages
 */

/**
 * @param {import("../run.js").Run} run
 * @param {Pick<import("../connection.js").Connection, "ask">} connection
 * @param {(ps: number) => void} seek
 * @param {() => void} changed called when other stages are shown
 */
export function ruler(run, connection, seek, changed) {
  /** @type {Stages | null} */
  let shown = null;
  /** @type {HTMLElement[]} */
  let rows = [];
  const note = el("output", { class: "note" });
  const before = el("button", { click: () => step(-1), title: "[", "aria-label": "stage before", disabled: true }, "◂ stage");
  const after = el("button", { click: () => step(1), title: "]", "aria-label": "next stage", disabled: true }, "stage ▸");
  const bar = el("div", { class: "bar" }, el("button", { class: "measure", click: measure }, "Stages of the last message"), before, after, note);
  const list = el("table", { class: "stages" });

  /** Asks for the last message of the node that is looked at, or else of the first node that sent one. */
  async function measure() {
    note.textContent = "measuring";
    const others = Array.from({ length: run.hello?.recorded ?? 0 }, (_, node) => node).filter((node) => node !== run.node);
    let answer;
    for (const node of [run.node, ...others]) {
      answer = await connection.ask({ type: "stages", node });
      if (answer.ruler) break;
    }
    note.textContent = answer.ruler ? "" : answer.error;
    show(answer.ruler ?? null);
  }

  /** @param {Stages | null} stages */
  function show(stages) {
    shown = stages?.stages.length ? stages : null;
    before.toggleAttribute("disabled", !shown);
    after.toggleAttribute("disabled", !shown);
    rows = (shown?.stages ?? []).map((stage) =>
      el("tr", {},
        el("td", { class: "value", "data-ps": stage.duration_ps }, time(stage.duration_ps)),
        el("td", {}, stage.place),
        el("td", {}, el("button", { title: "Go to the beginning of the stage", click: () => seek(landing(stage.begin_ps)) }, stage.name)),
      ),
    );
    list.replaceChildren();
    if (shown) {
      list.append(
        el("caption", {}, shown.heading),
        ...rows,
        el("tr", { class: "total" }, el("td", { class: "value", "data-ps": shown.total_ps }, time(shown.total_ps)), el("td", {}), el("td", {}, "in all")),
      );
    }
    mark();
    changed();
  }

  /** Marks the stage of the present time. */
  function mark() {
    const now = run.moment?.time_ps ?? 0;
    shown?.stages.forEach(({ begin_ps, duration_ps }, index) => {
      rows[index].classList.toggle("now", begin_ps <= now && now < begin_ps + duration_ps);
    });
  }

  /** The first end of a cycle that is not earlier: `seek` rounds to cycles. @param {number} ps */
  const landing = (ps) => ps + (run.hello?.cycle_ps ?? 0) / 2 - 1;

  /** @param {1 | -1} direction */
  function step(direction) {
    if (!shown || !run.moment) return;
    const now = run.moment.time_ps;
    const cycle = run.hello?.cycle_ps ?? 0;
    const ends = shown.stages.map(({ begin_ps }) => begin_ps);
    ends.push(ends[0] + shown.total_ps);
    const found = direction > 0 ? ends.find((ps) => ps > now) : ends.filter((ps) => ps + cycle <= now).at(-1);
    if (found !== undefined) seek(landing(found));
  }

  run.addEventListener("moment", mark);
  run.addEventListener("other course", () => shown && show(null));
  return { bar, list, step, stages: () => shown };
}
