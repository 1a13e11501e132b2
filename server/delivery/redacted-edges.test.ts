// Tests of the redacted log and picture at their edges: evicted text, ends of the log, wide letters: rule SC4.
import { beforeEach, expect, it, vi } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import { redacted, redactedBytes, redactedText } from './redacted-log.ts';
import { redactedLines } from './redacted-picture.ts';

const TOKEN = 'ghp_aZ9bY8cX7dW6eV5fU4gT3hS2iR1jQ0kP9lO8';
const MASKED = `ghp_${'*'.repeat(36)}`;

let log: EventLog;
beforeEach(() => {
  log = new EventLog({ retainedBytes: 1000, retainedEvents: 1000, chunkBytes: 4096 });
});

function print(text: string, stream: 'stdout' | 'stderr' = 'stdout'): OutputEvent {
  log.append(stream, Buffer.from(text));
  log.seal();
  return log.at(log.nextSeq - 1) as OutputEvent;
}
const see = (event: OutputEvent): string => redacted(log).see(event).bytes.toString();
/** A line of 300 bytes without a secret. */
const LINE = `${'word '.repeat(59)}ends\n`;

it('[SC4] the newest output has exactly the requested number of bytes, without secrets, up to the end of the log', () => {
  expect(redacted(log).tail(10).toString()).toBe('');
  print('one\n');
  print(`two ${TOKEN}\n`);
  log.exited(0, false);
  const all = `one\ntwo ${MASKED}\n`;
  expect(redacted(log).tail(1000).toString()).toBe(all);
  for (const bytes of [0, 1, 20, 44, 45, 46, all.length - 1, all.length])
    expect(redacted(log).tail(bytes).toString()).toBe(all.slice(all.length - bytes));
});

it('[SC4] the open end is the part of the last output that may become a secret', () => {
  expect(redacted(log).open).toBe('');
  print('plain text\n');
  expect(redacted(log).open).toBe('');
  print(`$ ${TOKEN.slice(0, 20)}`);
  expect(redacted(log).open).toBe(TOKEN.slice(0, 20));
  log.exited(0, false);
  log.closed();
  expect(redacted(log).open).toBe(TOKEN.slice(0, 20));
  const other = new EventLog({ retainedBytes: 1000, retainedEvents: 1000, chunkBytes: 4096 });
  other.exited(0, false);
  expect(redacted(other).open).toBe('');
});

it('[SC4] a word after searched text is shown although that text was evicted', () => {
  for (let at = 0; at < 3; at += 1) see(print(LINE));
  see(print(LINE));
  expect(log.firstSeq).toBe(2);
  for (let at = 0; at < 20; at += 1) {
    const event = print(LINE);
    expect(redacted(log).see(event)).toBe(event);
  }
});

it('[SC4] the first word after text that was evicted unsearched is masked, with all that continues it', () => {
  print(LINE.slice(0, -1));
  print('x'.repeat(900));
  const rest = print('xyz plain');
  expect(log.firstSeq).toBe(2);
  const first = log.at(2) as OutputEvent;
  expect(see(first)).toBe('*'.repeat(900));
  expect(see(rest)).toBe('*** plain');
  // These lines evict the second chunk too. The text after it was not a secret, so later output is not masked.
  print(LINE);
  print(LINE);
  const last = print(LINE);
  expect(see(last)).toBe(LINE);
});

it.each([' q', '1 q', ' F', ' @'])(
  '[SC4] [SC9] the first word behind a sequence that was evicted before its blank is masked: %j',
  (end) => {
    print(`${LINE.slice(0, -1)} ghp_aZ9b\u001b[`);
    const rest = print(`${end}${TOKEN.slice(8)} ${'after '.repeat(150)}`);
    expect(log.firstSeq).toBe(2);
    expect(see(rest)).not.toContain(TOKEN.slice(-20));
    expect(see(rest)).toContain(' after after');
  },
);

it('[SC4] an evicted beginning that was searched stays part of the secret after it', () => {
  see(print(LINE));
  see(print(LINE));
  see(print(`${'word '.repeat(60)}${TOKEN.slice(0, 20)}`));
  const rest = print(`${TOKEN.slice(20)} ${'after '.repeat(150)}`);
  expect(log.firstSeq).toBe(4);
  expect(see(rest)).toBe(`${'*'.repeat(20)} ${'after '.repeat(150)}`);
});

it('[SC4] reading older output does not affect later output', () => {
  const [first, , third] = [print(LINE), print(LINE), print(LINE)];
  see(third);
  see(first);
  see(third);
  const next = print(`more ${'word '.repeat(180)}`);
  expect(log.firstSeq).toBe(4);
  expect(redacted(log).see(next)).toBe(next);
});

it('[SC4] a stream whose beginning was evicted does not affect the other', () => {
  print('x'.repeat(600));
  const error = print(`a ${TOKEN.slice(0, 10)}`, 'stderr');
  print('y '.repeat(400));
  expect(log.firstSeq).toBe(2);
  expect(see(error)).toBe(`* ghp_${'*'.repeat(6)}`);
});

it('[SC4] bytes that are not text remain unchanged', () => {
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0xfe, 0x80]),
    Buffer.from(` ${TOKEN} `),
    Buffer.from([0xc3]),
  ]);
  const shown = redactedBytes(bytes, '');
  expect(shown).toEqual(
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(` ${MASKED} `), Buffer.from([0xc3])]),
  );
  expect(redactedBytes(new Uint8Array(bytes.buffer, bytes.byteOffset + 3, 42), '').length).toBe(42);
});

it('[SC4] an open end is masked where it was printed last, and nowhere else', () => {
  const open = TOKEN.slice(0, 12);
  expect(redactedText(`${open}\n${open} x`, open)).toBe(`${open}\nghp_******** x`);
  expect(redactedText(`${open} x`, open)).toBe('ghp_******** x');
  expect(redactedText('nothing of it', open)).toBe('nothing of it');
  expect(redactedText(open, '')).toBe(open);
  expect(redactedText(`\u001b[1m${open}\u001b[0m x`, open)).toBe('\u001b[1mghp_********\u001b[0m x');
  // The last letter of the word is drawn at the very end, apart from its other letters.
  expect(redactedText(`${open.slice(0, -1)} row ${open.at(-1)}`, open)).toBe('ghp_******* row *');
  expect(redactedText(`${open.slice(0, -1)} row`, open)).toBe(`${open.slice(0, -1)} row`);
});

it('[SC4] a secret in full rows of wide letters is masked, and one in rows that end early is two words', () => {
  const text = (rows: readonly string[]) => rows.map((row) => [{ text: row }]);
  const shown = (rows: readonly string[], cols: number): string[] =>
    redactedLines(text(rows), cols, '').map((runs) => runs.map((run) => run.text).join(''));
  const [left, right] = [TOKEN.slice(0, 20), TOKEN.slice(20)];
  expect(shown([`日本${left}`, right], 24)).toEqual([`日本ghp_${'*'.repeat(16)}`, '*'.repeat(20)]);
  expect(shown([`日本${left}`, right], 25)).toEqual([`日本${left}`, right]);
  expect(shown([`\u1100${left}`, right], 22)).toEqual([`\u1100ghp_${'*'.repeat(16)}`, '*'.repeat(20)]);
  expect(shown([`\u10ff${left}`, right], 22)).toEqual([`\u10ff${left}`, right]);
  // A surrogate pair is two cells wide, and already has two code units.
  expect(shown([`😀${left}`, right], 22)).toEqual([`😀ghp_${'*'.repeat(16)}`, '*'.repeat(20)]);
  expect(shown([`😀${left}`, right], 23)).toEqual([`😀${left}`, right]);
  const plain = text(['a', 'b']);
  expect(redactedLines(plain, 10, '')).toBe(plain);
});

it('[SC7] a search, or a reader, of many small events reads each only a few times', () => {
  for (const isSearch of [true, false]) {
    log = new EventLog({ retainedBytes: 1 << 20, retainedEvents: 65_536, chunkBytes: 4096 });
    const pieces = 4000;
    // Text that could be the start of a JSON Web Token, so that much of the text before each event is searched.
    for (let at = 0; at < pieces; at += 1) print('eyJabcd', at % 2 === 0 ? 'stdout' : 'stderr');
    const reads = vi.spyOn(log, 'at');
    if (isSearch) redacted(log).tail(Number.POSITIVE_INFINITY);
    else for (let seq = log.firstSeq; seq < log.nextSeq; seq += 1) see(log.at(seq) as OutputEvent);
    expect(reads.mock.calls.length).toBeLessThan(10 * pieces);
  }
});
