// A recording in place of a connection: the same messages, without memonet.

/**
 * @typedef {{hello: any, end_ps: number, nic: string, events: any[], said: any[], sources: Record<string, any[]>,
 *   figures: Record<string, string>, rulers: Record<number, any>,
 *   frames: {time_ps: number, node: number, words: [number, string][]}[]}} Content
 */

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
    setTimeout(() => {
      onMessage({ ...content.hello, type: "hello", tours: [], examples: [] });
      for (const said of content.said) onMessage({ ...said, type: "said" });
      this.show();
    });
  }

  /** Sends the moment of the present time. */
  show() {
    const { frames, events, nic, end_ps, hello } = this.content;
    /** @type {Map<number, string>} */
    const words = new Map();
    for (const frame of frames) {
      if (frame.time_ps > this.time) break;
      if (frame.node === this.node) for (const [index, word] of frame.words) words.set(index, word);
    }
    this.onMessage({
      type: "moment",
      time_ps: this.time,
      cycle: Math.floor(this.time / hello.cycle_ps),
      horizon_ps: end_ps,
      undone_ps: null,
      playing: null,
      nic: `${nic}, recorded`,
      here: this.node,
      breaks: [],
      node: { node: this.node, whole: true, words: [...words], rtl: [] },
      links: [],
      lanes_begin_again: false,
      events: this.begun ? [] : events,
    });
    this.begun = true;
  }

  /** @param {Record<string, any>} request */
  send(request) {
    if (request.type === "look") this.node = request.node;
    if (request.type === "look") this.show();
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
    const step = /^(run|forward|back) (\d+)$/.exec(request.line ?? "");
    if (!step) return { type: "refused", error: "this is a recording; memonet studio executes lines" };
    const from_ps = this.time;
    const cycles = (step[1] === "back" ? -1 : 1) * Number(step[2]);
    const { first_ps, cycle_ps } = this.content.hello;
    this.time = Math.max(first_ps, Math.min(this.content.end_ps, this.time + cycles * cycle_ps));
    this.show();
    return { type: "done", text: "", error: null, from_ps, to_ps: this.time };
  }

  /** @param {string} name */
  async figure(name) {
    return this.content.figures[name] ?? null;
  }
}
