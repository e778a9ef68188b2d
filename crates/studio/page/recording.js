// A recording in place of a connection: the same messages, without memonet.

import { time } from "./dom.js";
import { condition, read } from "./stops.js";

/** Time between two moments while the recording plays, in ms. */
const FRAME = 33;

/**
 * @typedef {import("./stops.js").Condition} Condition
 * @typedef {import("./stops.js").Words} Words
 * @typedef {{hello: any, end_ps: number, nic: string, events: any[], said: any[], sources: Record<string, any[]>,
 *   figures: Record<string, string>, calls: (import("./run.js").Call & {node: number})[],
 *   rulers: Record<number, any>,
 *   frames: {time_ps: number, node: number, words: [number, string][]}[]}} Content
 */

/**
 * The recording in the text of its element: JSON, compressed by zlib, in base64.
 * @param {string} text
 * @returns {Promise<Content>}
 */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

export class Recording {
  /**
   * @param {Content} content
   * @param {(message: any) => void} onMessage
   */
  constructor(content, onMessage) {
    this.content = content;
    this.onMessage = onMessage;
    this.node = 0;
    this.time = content.end_ps;
    this.begun = false;
    /** Words of each node after the first `at` frames. @type {Words[]} */
    this.words = Array.from({ length: content.hello.nodes }, () => new Map());
    this.at = 0;
    /** Nodes whose registers are recorded. */
    this.nodes = new Set(content.frames.map((frame) => frame.node));
    /** Break points. @type {Condition[]} */
    this.breaks = [];
    /** Cycles between two moments while the recording plays. @type {number | null} */
    this.playing = null;
    /** The timer of the next picture, while the recording plays. */
    this.timer = 0;
    this.go(this.time);
    setTimeout(() => {
      onMessage({ ...content.hello, type: "hello", tours: [], examples: [] });
      for (const { node, ...call } of content.calls) onMessage({ type: "call", node, call });
      for (const said of content.said) onMessage({ ...said, type: "said" });
      this.show();
    });
  }

  /** Sends the moment of the present time. */
  show() {
    const { events, nic, end_ps, hello } = this.content;
    this.onMessage({
      type: "moment",
      time_ps: this.time,
      cycle: Math.floor(this.time / hello.cycle_ps),
      horizon_ps: end_ps,
      undone_ps: null,
      playing: this.playing,
      nic: `${nic}, recorded`,
      here: this.node,
      breaks: this.breaks.map(({ text }) => text),
      node: { node: this.node, whole: true, words: Array.from(this.words[this.node], ([at, word]) => [at, word.toString(16)]), rtl: [], memories: [] },
      links: [],
      queues: [],
      lanes_begin_again: false,
      events: this.begun ? [] : events,
    });
    this.begun = true;
  }

  /** @param {Record<string, any>} request */
  send(request) {
    if (request.type === "look") this.node = request.node;
    else if (request.type === "play") this.play(request.cycles);
    else if (request.type === "pause") this.play(null);
    this.show();
  }

  /**
   * Plays by this number of cycles a picture, or stops.
   * @param {number | null} cycles
   */
  play(cycles) {
    clearInterval(this.timer);
    this.playing = cycles;
    if (cycles !== null) this.timer = setInterval(() => this.picture(cycles), FRAME);
  }

  /**
   * Goes on by the cycles of a picture; a break point or the end of the recording ends that.
   * @param {number} cycles
   */
  picture(cycles) {
    const { end_ps, hello } = this.content;
    const from_ps = this.time;
    const met = this.go(Math.min(end_ps, from_ps + cycles * hello.cycle_ps), this.breaks);
    if (met || this.time === end_ps) this.play(null);
    if (met) this.say(`run ${cycles}`, this.met(met), from_ps);
    this.show();
  }

  /**
   * Goes to a time, at most to the first condition that comes true on the way, which it returns.
   * @param {number} to_ps
   * @param {Condition[]} conditions
   * @returns {Condition | undefined}
   */
  go(to_ps, conditions = []) {
    const { frames } = this.content;
    if (to_ps < this.time) {
      this.words.forEach((words) => words.clear());
      this.at = 0;
    }
    const values = () => conditions.map(({ node, value }) => read(value, this.words[node]));
    let before = values();
    while (this.at < frames.length && frames[this.at].time_ps <= to_ps) {
      const { time_ps } = frames[this.at];
      for (; this.at < frames.length && frames[this.at].time_ps === time_ps; this.at++) {
        const { node, words } = frames[this.at];
        for (const [index, word] of words) this.words[node].set(index, BigInt(`0x${word}`));
      }
      const now = values();
      const met = conditions.find(({ comesTrue }, index) => comesTrue(before[index], now[index]));
      if (met) {
        this.time = time_ps;
        return met;
      }
      before = now;
    }
    this.time = to_ps;
  }

  /**
   * Shows a line in the console.
   * @param {string} line
   * @param {string} text
   * @param {number} from_ps
   */
  say(line, text, from_ps) {
    this.onMessage({ type: "said", line, text, error: null, node: this.node, from_ps, to_ps: this.time });
  }

  /**
   * @param {Record<string, any>} request
   * @returns {Promise<any>}
   */
  async ask(request) {
    if (request.type === "source") return { type: "sources", files: this.content.sources[request.block] ?? [] };
    if (request.type === "stages") {
      const ruler = this.content.rulers[request.node];
      return ruler ? { type: "stages", ruler } : { type: "refused", error: `node ${request.node} has not issued anything` };
    }
    if (request.type !== "line") return { type: "refused", error: "a recording completes nothing" };
    const from_ps = this.time;
    try {
      const text = this.line(request.line.trim());
      if (text !== null) this.say(request.line, text, from_ps);
      this.show();
      return { type: "done", text: text ?? "", error: null, from_ps, to_ps: this.time };
    } catch (error) {
      return { type: "refused", error: /** @type {Error} */ (error).message };
    }
  }

  /**
   * Executes a line; returns its output, or null for a step that says nothing. Throws an Error with the reason if it is refused.
   * @param {string} line
   */
  line(line) {
    const { end_ps, hello } = this.content;
    const step = /^(run|forward|back) (\d+)$/.exec(line);
    if (step) {
      const way = (step[1] === "back" ? -1 : 1) * Number(step[2]) * hello.cycle_ps;
      const met = this.go(Math.max(hello.first_ps, Math.min(end_ps, this.time + way)), way > 0 ? this.breaks : []);
      return met ? this.met(met) : null;
    }
    const [, name, rest] = /^(break|delete|run until)\b\s*(.*)$/.exec(line) ?? [];
    if (name === "break") return this.break(rest);
    if (name === "delete") return this.delete(rest);
    if (name === "run until") return this.until(rest);
    throw new Error("this is a recording, which knows run, forward, back, break and delete; memonet studio executes other lines");
  }

  /** @param {Condition} condition a break point that has come true */
  met({ text }) {
    return `break at ${time(this.time)}: ${text}`;
  }

  /** @param {string} text */
  break(text) {
    if (text === "") return this.breaks.map((point, index) => `${index + 1}: ${point.text}`).join("\n");
    this.breaks.push(this.condition(text));
    return "";
  }

  /** @param {string} number */
  delete(number) {
    if (number === "") this.breaks = [];
    else if (!this.breaks[Number(number) - 1]) throw new Error(`delete: there is no break point ${number}`);
    else this.breaks.splice(Number(number) - 1, 1);
    return "";
  }

  /** @param {string} text */
  until(text) {
    const condition = this.condition(text);
    const from = this.time;
    if (condition.holds(read(condition.value, this.words[condition.node]))) return `${time(from)}: ${condition.text}`;
    const met = this.go(this.content.end_ps, [condition, ...this.breaks]);
    if (met === condition) return `${time(this.time)}: ${met.text}`;
    if (met) return this.met(met);
    this.go(from);
    throw new Error(`run: ${condition.text} does not become true until the end of the recording`);
  }

  /** @param {string} text */
  condition(text) {
    const found = condition(text, this.node, this.content.hello);
    if (!this.nodes.has(found.node)) throw new Error(`the recording has the registers of nodes ${[...this.nodes].join(", ")}`);
    return found;
  }

  /** @param {string} name */
  async figure(name) {
    return this.content.figures[name] ?? null;
  }
}
