// Conditions of break points in a recording, in the words of the shell: `rvs.state == Rvs1`, `node1.botf Botf1->Botf2`.

import { bits } from "./run.js";

/**
 * @typedef {import("./run.js").Hello} Hello
 * @typedef {import("./run.js").Table} Table
 * @typedef {{name: string, word: number, offset: number, width: number, table: Table | null}} Value
 * @typedef {{text: string, node: number, value: Value, holds: (now: bigint) => boolean,
 *   comesTrue: (before: bigint, now: bigint) => boolean}} Condition
 * @typedef {Map<number, bigint>} Words
 */

/** @type {Record<string, (left: bigint, right: bigint) => boolean>} */
const COMPARISONS = {
  "==": (left, right) => left === right,
  "=": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  "<=": (left, right) => left <= right,
  ">=": (left, right) => left >= right,
  "<": (left, right) => left < right,
  ">": (left, right) => left > right,
};

/**
 * The condition of a text; registers are those of node `here` unless the text names another. Throws an Error with the reason if
 * there is none.
 * @param {string} text
 * @param {number} here
 * @param {Hello} hello
 * @returns {Condition}
 */
export function condition(text, here, hello) {
  if (/^frame(\s|$)/.test(text)) throw new Error("a recording has no frames");
  const [, at, rest] = /** @type {RegExpExecArray} */ (/^(?:node(\d+)\.)?(.*)$/s.exec(text.trim()));
  const node = at === undefined ? here : Number(at);
  const named = { node, text: `node${node}.${rest}` };
  const arc = /^(\S+)\s+(\w+)\s*->\s*(\w+)$/.exec(rest);
  if (arc) {
    const value = find(arc[1], hello);
    const [from, to] = [state(arc[2], value), state(arc[3], value)];
    const leaving = value.table?.states[Number(from)].arcs.map((next) => next.to) ?? [];
    if (!leaving.includes(arc[3])) throw new Error(`${value.name} has no arc ${arc[2]}->${arc[3]}, ${arc[2]} leads to ${leaving.join(", ")}`);
    return { ...named, value, holds: () => false, comesTrue: (before, now) => before === from && now === to };
  }
  const comparison = /^(\S+?)\s*(==|!=|<=|>=|<|>|=)\s*(\S+)$/.exec(rest);
  if (!comparison) throw new Error("a condition is a register, one of == != < <= > >=, and a value, or a machine and an arc A->B");
  const value = find(comparison[1], hello);
  const right = /^\d/.test(comparison[3]) ? number(comparison[3], value) : state(comparison[3], value);
  const holds = (/** @type {bigint} */ now) => COMPARISONS[comparison[2]](now, right);
  return { ...named, value, holds, comesTrue: (before, now) => holds(now) && !holds(before) };
}

/**
 * A number that the register can hold.
 * @param {string} text
 * @param {Value} value
 */
function number(text, value) {
  if (!/^(\d+|0x[\da-f]+|0b[01]+)$/i.test(text)) throw new Error(`${text} is no number`);
  const found = BigInt(text);
  if (found >> BigInt(value.width)) throw new Error(`${value.name} has ${value.width} bits and cannot be ${text}`);
  return found;
}

/**
 * The code of a state.
 * @param {string} name
 * @param {Value} value
 */
function state(name, value) {
  const code = value.table?.states.findIndex((state) => state.name === name) ?? -1;
  if (code < 0) throw new Error(value.table ? `${value.name} has no state ${name}` : `${value.name} has no states`);
  return BigInt(code);
}

/**
 * A register or a part of one by the end of its path; the register of a machine may be left out.
 * @param {string} name
 * @param {Hello} hello
 * @returns {Value}
 */
function find(name, hello) {
  const found = values(hello).filter((value) => value.name === name || value.name.endsWith(`.${name}`));
  if (found.length === 0 && !name.endsWith(".state")) return find(`${name}.state`, hello);
  if (found.length === 0) throw new Error(`there is no register ${name.replace(/\.state$/, "")}`);
  const exact = found.find((value) => value.name === name);
  if (found.length > 1 && !exact) throw new Error(`${name} is one of ${found.slice(0, 4).map((value) => value.name).join(", ")}`);
  return exact ?? found[0];
}

/**
 * All registers and their parts.
 * @param {Hello} hello
 * @returns {Value[]}
 */
function values({ blocks, tables }) {
  const table = (/** @type {number | null} */ index) => (index === null ? null : tables[index]);
  return blocks.flatMap(({ path, registers }) =>
    registers.flatMap((register) => {
      const name = path ? `${path}.${register.name}` : register.name;
      const whole = { name, word: register.word, offset: 0, width: register.width, table: table(register.table) };
      const part = (/** @type {import("./run.js").Field} */ field) => ({
        name: `${name}.${field.name}`,
        word: register.word,
        offset: field.offset,
        width: field.width,
        table: table(field.table),
      });
      return [whole, ...register.fields.map(part)];
    }),
  );
}

/**
 * The present value of a register or of a part of one.
 * @param {Value} value
 * @param {Words} words
 */
export const read = ({ word, offset, width }, words) => bits((at) => words.get(at) ?? 0n, word, offset, width);
