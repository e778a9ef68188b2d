// Ways of wires between boxes: short, with few turns, around other boxes, apart from each other.

/** Size of a cell in pixels. */
export const CELL = 5;

/** Cost of a turn, of crossing a wire, and of running along one, in cells. */
const [TURN, CROSS, ALONG] = [4, 3, 12];

/** Distance from the middle of a side that costs as much as a cell, and from its corners, in pixels. */
const [OFF, CORNER] = [15, 10];

/** Right, down, left, up. */
const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/**
 * @typedef {{left: number, top: number, right: number, bottom: number}} Box
 */

export class Grid {
  /**
   * @param {number} width
   * @param {number} height
   * @param {Box[]} obstacles in pixels
   */
  constructor(width, height, obstacles) {
    this.columns = Math.ceil(width / CELL);
    this.rows = Math.ceil(height / CELL);
    this.blocked = new Uint8Array(this.columns * this.rows);
    /** Wires in each cell: 1 for a horizontal, 2 for a vertical one. */
    this.used = new Uint8Array(this.columns * this.rows);
    for (const box of obstacles) this.cells(box, (at) => (this.blocked[at] = 1));
  }

  /**
   * Calls `each` for the cells whose middle lies in a box.
   * @param {Box} box
   * @param {(at: number) => void} each
   */
  cells({ left, top, right, bottom }, each) {
    const first = (/** @type {number} */ px) => Math.max(0, Math.ceil(px / CELL - 0.5));
    for (let y = first(top); y < this.rows && (y + 0.5) * CELL <= bottom; y++) {
      for (let x = first(left); x < this.columns && (x + 0.5) * CELL <= right; x++) each(y * this.columns + x);
    }
  }

  /**
   * The free cells along the sides of a box, and a cost that grows from the middle of each side.
   * @param {Box} box
   * @returns {Map<number, number>}
   */
  around({ left, top, right, bottom }) {
    const ring = new Map();
    const middle = [(left + right) / 2, (top + bottom) / 2];
    /** @param {Box} side @param {0 | 1} axis */
    const add = (side, axis) =>
      this.cells(side, (at) => {
        const place = ((axis ? Math.floor(at / this.columns) : at % this.columns) + 0.5) * CELL;
        if (!this.blocked[at]) ring.set(at, Math.round(Math.abs(place - middle[axis]) / OFF));
      });
    const [x, y] = [CORNER, CORNER].map((corner, axis) => Math.min(corner, (axis ? bottom - top : right - left) / 3));
    add({ left: left + x, right: right - x, top: top - CELL, bottom: top - 0.1 }, 0);
    add({ left: left + x, right: right - x, top: bottom + 0.1, bottom: bottom + CELL }, 0);
    add({ left: left - CELL, right: left - 0.1, top: top + y, bottom: bottom - y }, 1);
    add({ left: right + 0.1, right: right + CELL, top: top + y, bottom: bottom - y }, 1);
    return ring;
  }

  /**
   * The way from one box to another in pixels, or null if there is none. Later wires avoid it.
   * @param {Box} from
   * @param {Box} to
   * @returns {[number, number][] | null}
   */
  route(from, to) {
    const size = this.columns * this.rows;
    const goals = this.around(to);
    const before = new Int32Array(4 * size).fill(-1);
    const costs = new Int32Array(4 * size).fill(0x7fffffff);
    /** States by their cost. @type {number[][]} */
    const queue = [];
    const reach = (/** @type {number} */ state, /** @type {number} */ cost, /** @type {number} */ last) => {
      if (cost >= costs[state]) return;
      costs[state] = cost;
      before[state] = last;
      (queue[cost] ??= []).push(state);
    };
    for (const [at, off] of this.around(from)) for (let way = 0; way < 4; way++) reach(4 * at + way, off, -2);
    for (let cost = 0; cost < queue.length; cost++) {
      for (const state of queue[cost] ?? []) {
        if (costs[state] !== cost) continue;
        if (goals.has(state >> 2)) return this.path(state, before, from, to);
        this.steps(state, cost, reach);
      }
      delete queue[cost];
    }
    return null;
  }

  /**
   * @param {number} state
   * @param {number} cost
   * @param {(state: number, cost: number, last: number) => void} reach
   */
  steps(state, cost, reach) {
    const [at, way] = [state >> 2, state & 3];
    const [column, row] = [at % this.columns, Math.floor(at / this.columns)];
    for (let next = 0; next < 4; next++) {
      const [x, y] = [column + STEPS[next][0], row + STEPS[next][1]];
      if (x < 0 || y < 0 || x >= this.columns || y >= this.rows || (next ^ way) === 2) continue;
      const cell = y * this.columns + x;
      if (this.blocked[cell]) continue;
      const used = this.used[cell];
      const direction = next & 1 ? 2 : 1;
      const more = used === 0 ? 0 : used & direction ? ALONG : CROSS;
      reach(4 * cell + next, cost + 1 + more + (next === way ? 0 : TURN), state);
    }
  }

  /**
   * @param {number} state the last one
   * @param {Int32Array} before
   * @param {Box} from
   * @param {Box} to
   */
  path(state, before, from, to) {
    /** @type {[number, number][]} */
    const points = [];
    for (let at = state; at >= 0; at = before[at]) {
      const cell = at >> 2;
      this.used[cell] |= at & 1 ? 2 : 1;
      points.unshift([((cell % this.columns) + 0.5) * CELL, (Math.floor(cell / this.columns) + 0.5) * CELL]);
    }
    const near = (/** @type {Box} */ box, /** @type {[number, number]} */ [x, y]) =>
      /** @type {[number, number]} */ ([Math.min(Math.max(x, box.left), box.right), Math.min(Math.max(y, box.top), box.bottom)]);
    return corners([near(from, points[0]), ...points, near(to, points[points.length - 1])]);
  }
}

/**
 * The points at which a way turns, and its ends.
 * @param {[number, number][]} points
 */
function corners(points) {
  const turns = (/** @type {number} */ at) => {
    const [[ax, ay], [bx, by], [cx, cy]] = points.slice(at - 1, at + 2);
    return (bx - ax) * (cy - by) !== (by - ay) * (cx - bx);
  };
  return points.filter((_, at) => at === 0 || at === points.length - 1 || turns(at));
}
