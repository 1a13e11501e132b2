// Tests of secrets that long sequences interrupt, in the redacted log: rule SC4.
import { describe, expect, it } from 'vitest';
import { maskSpans } from '../../text/masking.ts';
import { SecretStream } from '../../text/secret-streams.ts';
import { maskedText } from '../history/masked-text.ts';
import { EventLog } from '../keeper/event-log.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import { seenAfter } from '../keeper/read-stretch.ts';
import { redacted, redactedBytes, redactedInOrder } from './redacted-log.ts';

const TOKEN = 'ghp_aZ9bY8cX7dW6eV5fU4gT3hS2iR1jQ0kP9lO8';
const PLAIN = 'plain text\n'.repeat(3000);
const START = `${PLAIN}it is `;
const END = ` ${'and more '.repeat(3000)}`;
const filler = (length: number): string => 'zz '.repeat(Math.ceil(length / 3)).slice(0, length);

const SEQUENCES: readonly (readonly [name: string, of: (length: number) => string])[] = [
  ['OSC', (length) => `\u001b]777;${filler(length)}\u0007`],
  ['DCS', (length) => `\u001bP+q${filler(length)}\u001b\\`],
  ['APC in UTF-8', (length) => `\u00c2\u009f${filler(length)}\u00c2\u009c`],
  ['APC that a colour ends', (length) => `\u001b_${filler(length)}\u001b[m`],
  ['OSC that is cancelled', (length) => `\u001b]777;${filler(length)}\u0018`],
  ['CSI', (length) => `\u001b[${'0'.repeat(length)}m`],
  ['many colours', (length) => '\u001b[m'.repeat(length / 3)],
  ['NULs', (length) => '\u0000'.repeat(length)],
  ['joiners', (length) => '\u00e2\u0080\u008d'.repeat(length / 3)],
  ['overprinted letters', (length) => 'z\b'.repeat(length / 2)],
];

/** Number of the token's letters between two sequences. */
const GROUP = 8;
const textWith = (between: string): string => START + (TOKEN.match(/.{1,8}/g) ?? []).join(between) + END;

/** Returns the letters of the secret that a part of the text shows. */
function leaked(between: string, part: string, offset = 0): string {
  const places = Array.from(
    TOKEN,
    (_, at) => START.length + at + Math.floor(at / GROUP) * between.length,
  ).slice(4);
  return places.map((place) => part.charAt(place - offset).replace('*', '')).join('');
}

function logOf(text: string, pieceLength: number): EventLog {
  const log = new EventLog({ retainedBytes: 1 << 26, retainedEvents: 65_536, chunkBytes: 1 << 20 });
  for (let at = 0; at < text.length; at += pieceLength) {
    log.append('pty', Buffer.from(text.slice(at, at + pieceLength), 'latin1'));
    log.seal();
  }
  return log;
}

const eventsOf = (log: EventLog): OutputEvent[] =>
  Array.from({ length: log.nextSeq - 1 }, (_, at) => log.at(at + 1) as OutputEvent);
const latin1 = (events: readonly OutputEvent[]): string =>
  Buffer.concat(events.map(({ bytes }) => bytes)).toString('latin1');

describe.each(SEQUENCES)('[SC4] A secret with %s between its letters is masked', (_, of) => {
  it.each([600, 90_000])('in a log that is read in order: %s', (length) => {
    const text = textWith(of(length));
    for (const pieceLength of [32_768, 100_003]) {
      const log = logOf(text, pieceLength);
      const seen = latin1(eventsOf(log).map((event) => redacted(log).see(event)));
      expect(leaked(of(length), seen)).toBe('');
      expect([seen.length, seen.slice(0, START.length)]).toEqual([text.length, START]);
      expect(seen.endsWith(END)).toBe(true);
    }
  });

  it.each([6000, 90_000, 300_000])(
    'in a log that is read from any place: %s',
    (length) => {
      const log = logOf(textWith(of(length)), 32_768);
      const events = eventsOf(log);
      // About 20 of the events, since each read searches far around its event: newest first, then a few again.
      const step = Math.ceil(events.length / 20);
      const some = events.filter((_event, at) => at % step === 0);
      const wanted = [...some.filter((_event, at) => at % 7 === 3), ...some].toReversed();
      for (const event of wanted)
        expect(leaked(of(length), latin1([redacted(log).see(event)]), event.offset)).toBe('');
    },
    120_000,
  );

  it.each([600, 90_000])('in a stream, whose memory stays small: %s', (length) => {
    const text = textWith(of(length));
    const stream = new SecretStream();
    let seen = '';
    for (let at = 0; at < text.length; at += 50_021) {
      const piece = text.slice(at, at + 50_021);
      seen += maskSpans(piece, stream.next(piece));
    }
    expect(leaked(of(length), seen)).toBe('');
    expect(seen.endsWith(END)).toBe(true);
  });

  it('in a recording that is read part by part', () => {
    const log = logOf(textWith(of(90_000)), 32_768);
    const inOrder = redactedInOrder();
    const events = eventsOf(log);
    const seen: OutputEvent[] = [];
    for (let at = 0; at < events.length; at += 2) {
      const part = events.slice(at, at + 2);
      const see = seenAfter(events.slice(Math.max(0, at - 2), at), part, (each) => {
        const own = inOrder(each);
        return (chunk) => own.see(chunk);
      });
      seen.push(...part.map(see));
    }
    expect(leaked(of(90_000), latin1(seen))).toBe('');
    expect(latin1(seen).startsWith(START)).toBe(true);
    expect(latin1(seen).endsWith(END)).toBe(true);
  });

  it('in a segment of a recording, and in a snapshot while it is incomplete', () => {
    const between = of(6000);
    const text = textWith(between);
    const cut = START.length + 2 * (GROUP + between.length) + GROUP + 100;
    const parted = (from: number, to: number) => ({
      text: text.slice(from, to),
      parts: [{ stream: 'pty', start: 0, end: to - from, offset: from } as const],
    });
    const second = maskedText(parted(cut, text.length), parted(0, cut));
    expect(leaked(between, second, cut)).toBe('');
    const { open } = redacted(logOf(text.slice(0, cut), 32_768));
    expect(redactedBytes(Buffer.from(`it is ${TOKEN.slice(0, 3 * GROUP)}`), open).toString()).toBe(
      `it is ghp_${'*'.repeat(20)}`,
    );
  });
});

it('[SC4] the memory of a stream does not grow with its sequences', () => {
  for (const [, of] of SEQUENCES) {
    const stream = new SecretStream();
    const piece = of(60_000);
    stream.next('password=hunter');
    for (let at = 0; at < 10; at += 1) stream.next(`2${piece}`);
    const startedMs = performance.now();
    for (let at = 0; at < 10; at += 1) expect(stream.next('2')).toEqual([{ start: 0, end: 1 }]);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  }
});
