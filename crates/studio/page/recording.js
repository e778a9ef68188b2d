// A recording in place of a connection: the same messages, without memonet.

/** Time between two moments while the recording plays, in ms. */
const FRAME = 33;

/**
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
    /** Words of the node at the frame with number `at`. @type {Map<number, string>} */
    this.words = new Map();
    this.at = 0;
    /** Cycles between two moments while the recording plays. @type {number | null} */
    this.playing = null;
    /** The timer of the next picture, while the recording plays. */
    this.timer = 0;
    setTimeout(() => {
      onMessage({ ...content.hello, type: "hello", tours: [], examples: [] });
      for (const { node, ...call } of content.calls) onMessage({ type: "call", node, call });
      for (const said of content.said) onMessage({ ...said, type: "said" });
      this.show();
    });
  }

  /** Sends the moment of the present time. */
  show() {
    const { frames, events, nic, end_ps, hello } = this.content;
    if (this.at > 0 && frames[this.at - 1].time_ps > this.time) this.rewind();
    for (; this.at < frames.length && frames[this.at].time_ps <= this.time; this.at++) {
      const frame = frames[this.at];
      if (frame.node === this.node) for (const [index, word] of frame.words) this.words.set(index, word);
    }
    this.onMessage({
      type: "moment",
      time_ps: this.time,
      cycle: Math.floor(this.time / hello.cycle_ps),
      horizon_ps: end_ps,
      undone_ps: null,
      playing: this.playing,
      nic: `${nic}, recorded`,
      here: this.node,
      breaks: [],
      node: { node: this.node, whole: true, words: [...this.words], rtl: [], memories: [] },
      links: [],
      queues: [],
      lanes_begin_again: false,
      events: this.begun ? [] : events,
    });
    this.begun = true;
  }

  /** @param {Record<string, any>} request */
  send(request) {
    if (request.type === "look") {
      this.node = request.node;
      this.rewind();
    } else if (request.type === "play") this.play(request.cycles);
    else if (request.type === "pause") this.play(null);
    this.show();
  }

  rewind() {
    this.words.clear();
    this.at = 0;
  }

  /**
   * Plays by this number of cycles a picture, or stops.
   * @param {number | null} cycles
   */
  play(cycles) {
    clearInterval(this.timer);
    this.playing = cycles;
    if (cycles !== null) this.timer = setInterval(() => this.go(), FRAME);
  }

  /** Goes on by the cycles of a picture; the end of the recording ends that. */
  go() {
    const { end_ps, hello } = this.content;
    this.time = Math.min(end_ps, this.time + (this.playing ?? 0) * hello.cycle_ps);
    if (this.time === end_ps) this.play(null);
    this.show();
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
