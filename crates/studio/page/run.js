// What the page knows of the run: the structure of the machine, the present moment, the recorded lanes.

/** Longest time between two moments that is filled with pictures, in ms. */
const LONGEST = 250;

/** Most calls of a node that are kept. */
const MOST_CALLS = 20_000;

/** The port of a device to its link. */
const NETWORK = "(network)";

/** States of a wire. @type {Table} */
const WIRE = {
  name: "wire",
  doc: "",
  figure: "",
  states: ["", "carries"].map((name) => ({ name, doc: "", arcs: [] })),
};

/**
 * @typedef {{name: string, doc: string, figure: string,
 *   states: {name: string, doc: string, arcs: {to: string, condition: string | null}[]}[]}} Table
 * @typedef {{name: string, doc: string, offset: number, width: number, table: number | null}} Field
 * @typedef {{name: string, role: "register" | "inputs" | "outputs", width: number, word: number,
 *   table: number | null, fields: Field[]}} Register
 * @typedef {{path: string, rust_type: string, registers: Register[], memory: number | null}} Block
 * @typedef {{name: string, word: number, offset: number, width: number, inverted: boolean}} Pin
 * @typedef {{from: string, to: string, pins: Pin[]}} Wire
 * @typedef {{rows: {block: string, parts: string[]}[], wires: Wire[]}} Layout
 * @typedef {{machine: string, title: string, nodes: number, recorded: number, kinds: string[], cycle_ps: number,
 *   first_ps: number, tables: Table[], blocks: Block[], layout: Layout, examples: string[], tours: any[]}} Hello
 * @typedef {{node: number, to_node: boolean, units: number[], in_flight: number, waiting: string[],
 *   flight_ps: number, struck: string[], fault: string | null}} Link
 * @typedef {{port: number, units: number}} Queue
 * @typedef {{time_ps: number, cycle: number, horizon_ps: number, undone_ps: number | null, playing: number | null, nic: string, here: number,
 *   breaks: string[], links: Link[], queues: Queue[]}} Moment
 * @typedef {{block: number, register: Register, table: Table, name: string}} StateLane
 * @typedef {{block: number, register: null, table: Table, name: string, network: "from" | "to" | null}} WireLane
 * @typedef {StateLane | WireLane} Lane
 * @typedef {{begin_ps: number, end_ps: number, name: string}} Call
 * @typedef {{time: number, code: number}} Change
 */

export class Run extends EventTarget {
  constructor() {
    super();
    /** @type {Hello | null} */
    this.hello = null;
    /** @type {Moment | null} */
    this.moment = null;
    /** The moment before, while the run plays. @type {Moment | null} */
    this.previous = null;
    /** When the moment came, and the time since the one before, in ms. */
    this.came = 0;
    this.interval = 0;
    /** The run plays, and pictures between moments are drawn. */
    this.animated = false;
    /** Words of the node that is looked at. @type {bigint[]} */
    this.words = [];
    /** Words of the RTL where they differ from the model. @type {Map<number, bigint>} */
    this.rtl = new Map();
    /** Words that the last moment changed. @type {Set<number>} */
    this.changed = new Set();
    /** Entries that are not 0, of each block with a memory. @type {Map<number, number>} */
    this.used = new Map();
    /** State registers of all blocks, then wires to and from ports. @type {Lane[]} */
    this.lanes = [];
    /** State registers of each block. @type {StateLane[][]} */
    this.lanesOf = [];
    /** Write pointer and read pointer of each block that is a FIFO. @type {([Register, Register] | null)[]} */
    this.pointers = [];
    /** Changes of each lane of each recorded node. @type {Change[][][]} */
    this.changes = [];
    /** Calls of programs of each node in order, or else lines of the shell. @type {Call[][]} */
    this.calls = [];
    this.node = 0;
    /** Index of the selected block. */
    this.block = 0;
  }

  /** @param {Hello} hello */
  begin(hello) {
    this.hello = hello;
    this.words = [];
    const states = hello.blocks.flatMap((block, index) =>
      block.registers
        .filter((register) => register.role === "register" && register.table !== null)
        .map((register) => ({
          block: index,
          register,
          table: hello.tables[/** @type {number} */ (register.table)],
          name: register.name === "state" ? block.path : `${block.path}.${register.name}`,
        })),
    );
    this.pointers = hello.blocks.map(({ rust_type, registers }) => {
      const [write, read] = ["write_pointer", "read_pointer"].map((name) => registers.find((register) => register.name === name));
      return rust_type.startsWith("hdl::") && write && read ? [write, read] : null;
    });
    this.lanesOf = hello.blocks.map((_, index) => states.filter((lane) => lane.block === index));
    this.lanes = [...states, ...wireLanes(hello)];
    this.clear();
    if (this.block >= hello.blocks.length) this.block = 0;
    this.tell("hello");
  }

  /**
   * Adds calls to the lane of a node. After going back, calls of the undone time are void.
   * @param {number} node
   * @param {Call} call
   */
  call(node, call) {
    const calls = (this.calls[node] ??= []);
    while (calls.length && calls[calls.length - 1].end_ps > call.begin_ps) calls.pop();
    calls.push(call);
    if (calls.length > MOST_CALLS) calls.shift();
  }

  clear() {
    this.changes = Array.from({ length: this.hello?.recorded ?? 0 }, () => this.lanes.map(() => []));
  }

  /** @param {any} message a moment */
  update(message) {
    const { node, words, whole, rtl, memories } = message.node;
    this.changed = new Set();
    if (node === this.node) {
      if (whole) {
        this.words = [];
        this.used = new Map();
      }
      for (const [block, used] of memories) this.used.set(block, used);
      for (const [index, text] of words) {
        this.words[index] = BigInt("0x" + text);
        if (!whole) this.changed.add(index);
      }
      this.rtl = new Map(rtl.map((/** @type {[number, string]} */ [index, text]) => [index, BigInt("0x" + text)]));
    }
    if (message.lanes_begin_again) {
      this.clear();
      this.tell("other course");
    }
    for (const { time_ps, node, lane, code } of message.events) {
      this.changes[node]?.[lane]?.push({ time: time_ps, code });
    }
    const now = performance.now();
    const follows = message.playing && this.moment?.playing && message.time_ps >= this.moment.time_ps;
    this.previous = follows ? this.moment : null;
    this.interval = Math.min(LONGEST, now - this.came);
    this.came = now;
    this.moment = message;
    const animates = Boolean(message.playing) && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (animates && !this.animated) requestAnimationFrame(() => this.frame());
    this.animated = animates;
    this.tell("moment");
  }

  /** Asks for a picture, and for the next one while the run plays. */
  frame() {
    if (!this.animated) return;
    requestAnimationFrame(() => this.frame());
    this.tell("frame");
  }

  /**
   * The virtual time of the picture. While the run plays it moves from the moment before to the present one, so a
   * picture shows only what has happened.
   */
  shown() {
    if (!this.moment) return 0;
    if (!this.animated || !this.previous || this.interval <= 0) return this.moment.time_ps;
    const part = Math.min(1, (performance.now() - this.came) / this.interval);
    return this.previous.time_ps + (this.moment.time_ps - this.previous.time_ps) * part;
  }

  /**
   * Calls `each` with every unit on a link at the time of the picture, and its place between sender, 0, and receiver, 1.
   * @param {(link: Link, unit: number) => void} each
   */
  eachUnit(each) {
    const { moment, previous } = this;
    if (!moment) return;
    const now = this.shown();
    /** @param {Link} link @param {number} unit */
    const on = (link, unit) => unit >= 0 && unit <= 1 && each(link, unit);
    for (const link of moment.links) {
      for (const unit of link.units) on(link, unit - (moment.time_ps - now) / link.flight_ps);
    }
    // Units that have arrived since the moment before.
    for (const link of previous?.links ?? []) {
      for (const unit of link.units) {
        const moved = (/** @type {number} */ ps) => unit + (ps - (previous?.time_ps ?? 0)) / link.flight_ps;
        if (moved(moment.time_ps) >= 1) on(link, moved(now));
      }
    }
  }

  /** @param {number} block */
  select(block) {
    this.block = block;
    this.tell("select");
  }

  /** @param {string} name */
  tell(name) {
    this.dispatchEvent(new Event(name));
  }

  /**
   * Bits of the node that is looked at.
   * @param {number} word
   * @param {number} offset
   * @param {number} width
   * @param {boolean} [rtl] those of the RTL
   */
  bits(word, offset, width, rtl = false) {
    return bits((at) => (rtl ? this.rtl.get(at) : undefined) ?? this.words[at] ?? 0n, word, offset, width);
  }

  /**
   * A value as text: the name of a state, or hexadecimal.
   * @param {bigint} value
   * @param {number | null} table
   */
  show(value, table) {
    const state = table === null ? undefined : this.hello?.tables[table].states[Number(value)];
    return state ? state.name : "0x" + value.toString(16);
  }

  /** @param {Register} register */
  hasChanged(register) {
    for (let at = 0; at * 64 < register.width; at++) if (this.changed.has(register.word + at)) return true;
    return false;
  }

  /**
   * The state registers of a block, with their present state.
   * @param {number} index
   */
  states(index) {
    return this.lanesOf[index].map((lane) => {
      const code = Number(this.bits(lane.register.word, 0, lane.register.width));
      return { lane, code, state: lane.table.states[code]?.name ?? String(code) };
    });
  }

  /** Whether a block is a FIFO, or a memory that is not part of one. @param {number} index */
  isStore(index) {
    const { path, memory } = /** @type {Hello} */ (this.hello).blocks[index];
    if (this.pointers[index]) return true;
    const outer = this.hello?.blocks.findIndex((block) => block.path === path.slice(0, Math.max(0, path.lastIndexOf("."))));
    return memory !== null && !this.pointers[outer ?? 0];
  }

  /**
   * Words that a FIFO holds, or entries of a memory that are not 0, and the number of all; null if the block is neither, or the
   * run has no memories because it is recorded. Both pointers of a FIFO have one bit more than an address.
   * @param {number} index
   * @returns {{held: number, depth: number} | null}
   */
  fill(index) {
    const pointers = this.pointers[index];
    if (!pointers) {
      const [held, depth] = [this.used.get(index), this.hello?.blocks[index].memory];
      return held === undefined || !depth ? null : { held, depth };
    }
    const [write, read] = pointers.map(({ word, width }) => Number(this.bits(word, 0, width)));
    const turn = 2 ** pointers[0].width;
    return { held: (write - read + turn) % turn, depth: turn / 2 };
  }

  /**
   * The state before the present one, if its change was recorded.
   * @param {StateLane} lane
   * @returns {string | null}
   */
  before(lane) {
    const changes = this.changes[this.node]?.[this.lanes.indexOf(lane)] ?? [];
    const last = indexAt(changes, this.moment?.time_ps ?? 0);
    return last > 0 ? (lane.table.states[changes[last - 1].code]?.name ?? null) : null;
  }
}

/**
 * Bits of a value of several words.
 * @param {(at: number) => bigint} wordAt
 * @param {number} word first word of the value
 * @param {number} offset
 * @param {number} width
 */
export function bits(wordAt, word, offset, width) {
  let value = 0n;
  for (let at = (offset + width - 1) >> 6; at >= offset >> 6; at--) value = (value << 64n) | wordAt(word + at);
  return (value >> BigInt(offset & 63)) & ((1n << BigInt(width)) - 1n);
}

/**
 * Lanes of the wires that begin or end outside of the device.
 * @param {Hello} hello
 * @returns {WireLane[]}
 */
function wireLanes({ layout, blocks }) {
  return layout.wires
    .filter(({ from, to }) => from.startsWith("(") || to.startsWith("("))
    .map(({ from, to }) => {
      const [path, name] = from.startsWith("(") ? [to, `${from.slice(1, -1)} → ${last(to)}`] : [from, `${last(from)} → ${to.slice(1, -1)}`];
      const network = to === NETWORK ? "from" : from === NETWORK ? "to" : null;
      return { block: blocks.findIndex((block) => block.path === path), register: null, table: WIRE, name, network };
    });
}

/** @param {string} path */
const last = (path) => path.slice(path.lastIndexOf(".") + 1);

/**
 * Index of the last change that is not later than `time`, or -1.
 * @param {Change[]} changes
 * @param {number} time
 */
export function indexAt(changes, time) {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle].time <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
