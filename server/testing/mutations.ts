// Valid requests of every method and invalid variants of them, reproducible by seed.
import { COMMANDS } from '../../protocol/command.ts';
import { samplesOf } from '../../protocol/records.ts';

type Json = Record<string, unknown>;

export type Random = (below: number) => number;

/** The random number generator mulberry32, which is small, and random enough for tests. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Returns valid requests, which are sent both as they are and mutated; `folder` is a path. */
function validRequests(key: string, folder: string): readonly (readonly [string, Json])[] {
  const samples = Object.entries(samplesOf({ key, processId: 'p', folder: `file://${folder}` }));
  const commands = Object.entries(COMMANDS).map(([method, { sample }]) => [method, sample as Json] as const);
  return [
    ...samples.map(([method, { harmless, any, own }]) => [method, (harmless ?? any ?? own) as Json] as const),
    ...commands,
  ];
}

/** Replacements for any value, without files and addresses (see `Samples.harmless`). */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 31,
  2 ** 32,
  -(2 ** 53),
  '',
  '\0',
  '\u{1f980}',
  '\ud800',
  '\u202e\u2066',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(70_000),
  [],
  {},
  [[[[]]]],
  { length: 1e9 },
  { toJSON: 1, valueOf: 1 },
  Array.from({ length: 300 }, () => null),
];

/** Replacements for any value, as text; JSON.stringify cannot produce most of them. */
const TEXTS = ['NaN', 'Infinity', '1e999', '-0', '00', '0x10', '9'.repeat(400), '"\\ud800"', '"\\u0000"'];
const MEMBERS = [
  '__proto__',
  'constructor',
  'prototype',
  'key',
  'processId',
  'session',
  'to',
  'then',
  'id',
  '',
];

/** Returns true for a method whose requests may be edited byte by byte; others could reach other files or hosts. */
const isHarmless = (method: string): boolean => !/^(fs|http|environmentConfig)\//.test(method);

export class Mutations {
  readonly #random: Random;
  readonly #requests: readonly (readonly [string, Json])[];
  #id = 0;

  constructor(random: Random, existing: { readonly key: string; readonly folder: string }) {
    this.#random = random;
    this.#requests = validRequests(existing.key, existing.folder);
  }

  next(): string | Buffer {
    const [method, params] = this.#one(this.#requests);
    this.#id += 1;
    const request: Json = { id: this.#id, method, params: structuredClone(params) };
    switch (this.#random(12)) {
      case 0:
        return JSON.stringify(request);
      case 1:
        return this.#twice(request);
      case 2:
        return JSON.stringify(this.#mutated(request));
      case 3:
        return this.#withText(request);
      case 4:
        return isHarmless(method) ? this.#edited(Buffer.from(JSON.stringify(request))) : this.#noise();
      case 5:
        return isHarmless(method) ? JSON.stringify(request).slice(0, this.#random(80)) : this.#noise();
      case 6:
        return this.#random(20) === 0 ? this.#noise() : JSON.stringify(request);
      default:
        return JSON.stringify({ ...request, params: this.#mutated(params) });
    }
  }

  /** Returns frames or bytes that violate the WebSocket protocol. */
  illegalFrame(): Buffer {
    const mask = Buffer.from([1, 2, 3, 4]);
    const frame = (first: number, length: number, body = Buffer.alloc(length)): Buffer =>
      Buffer.concat([Buffer.from([first, 0x80 | length]), mask, body]);
    const noise = Buffer.from(Array.from({ length: 40 }, () => this.#random(256)));
    // Reserved bits are set, because the gateway would otherwise wait for the rest of what looks like a
    // frame.
    noise[0] = 0x70 | this.#random(256);
    return this.#one([
      // Unmasked frames; reserved opcodes; reserved bits, such as compression without negotiation.
      Buffer.from([0x81, 0x02, 0x7b, 0x7d]),
      frame(0x83, 5),
      frame(0x8b, 5),
      frame(0xc1, 40, noise),
      frame(0xb1, 40, noise),
      // Control frames that are too long or fragmented; a continuation of nothing.
      Buffer.concat([Buffer.from([0x89, 0xfe, 0x01, 0x00]), mask, Buffer.alloc(256)]),
      frame(0x09, 3),
      frame(0x80, 3),
      // A message within a message; impossible lengths.
      Buffer.concat([frame(0x01, 3), frame(0x81, 3)]),
      Buffer.concat([Buffer.from([0x81, 0xff]), Buffer.alloc(8, 0xff), mask]),
      Buffer.concat([Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]), mask]),
      // Closes with half a code, an invalid code, and a reason that is not UTF-8.
      frame(0x88, 1),
      frame(0x88, 2),
      frame(0x88, 4, Buffer.from([2, 234, 252, 252])),
      noise,
    ]);
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#random(all.length)] as T;
  }

  /** Returns a copy in which one member is replaced, removed or added. */
  #mutated(whole: Json): Json {
    const names = Object.keys(whole);
    const name = this.#one(names);
    if (name === undefined) return { [this.#one(MEMBERS)]: this.#one(VALUES) };
    const value = whole[name];
    switch (this.#random(5)) {
      case 0:
        return Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name));
      case 1:
        return { ...whole, [this.#one(MEMBERS)]: this.#one(VALUES) };
      case 2:
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          return { ...whole, [name]: this.#mutated(value as Json) };
        if (Array.isArray(value)) return { ...whole, [name]: [...value, this.#one(VALUES)] };
        return { ...whole, [name]: [value] };
      default:
        return { ...whole, [name]: this.#one(VALUES) };
    }
  }

  /** Returns a request that repeats a member; parsers use the last value. */
  #twice(request: Json): string {
    const params = request['params'] as Json;
    const name = this.#one(Object.keys(params)) ?? 'x';
    const first = JSON.stringify({ [name]: this.#one(VALUES) }).slice(0, -1);
    const rest = JSON.stringify(params).slice(1);
    return JSON.stringify({ ...request, params: 0 }).replace(
      '"params":0',
      () => `"params":${first}${rest === '}' ? '}' : `,${rest}`}`,
    );
  }

  #withText(request: Json): string {
    const text = this.#one(TEXTS);
    const name = this.#one(Object.keys(request['params'] as Json)) ?? 'x';
    const params = { ...(request['params'] as Json), [name]: '\u0001' };
    return JSON.stringify({ ...request, params }).replace('"\\u0001"', () => text);
  }

  #edited(bytes: Buffer): Buffer {
    const at = this.#random(bytes.length);
    bytes[at] = this.#random(256);
    return bytes;
  }

  #noise(): string | Buffer {
    return this.#one<string | Buffer>([
      '',
      ' ',
      '[]',
      'null',
      '{"id":1}',
      '{"id":{},"method":"x"}',
      '{"method":"nobody/knows"}',
      '{"id":1,"result":{}}',
      '{"id":1,"error":{"code":1,"message":""}}',
      '{"__proto__":{"method":"process/start"},"id":1}',
      `{"id":1,"method":"x","params":${'['.repeat(500)}${']'.repeat(500)}}`,
      `{"id":1,"method":"${'m'.repeat(5000)}"}`,
      '{"method":"initialized"}',
      Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
      Buffer.from(Array.from({ length: 60 }, () => this.#random(256))),
    ]);
  }
}
