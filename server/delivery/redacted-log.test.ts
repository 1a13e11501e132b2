// Tests of the log as observers see it, wherever its chunks are split: rule SC4.
import fc from 'fast-check';
import { masked } from '../../text/masking.ts';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import { SECRET_VECTORS } from '../testing/secret-vectors.ts';
import { redacted, redactedBytes } from './redacted-log.ts';
import { redactedLines } from './redacted-picture.ts';

const LIMITS = { retainedBytes: 1 << 20, retainedEvents: 65_536, chunkBytes: 32_768 };
const STAR = 0x2a;

function outputs(log: EventLog): OutputEvent[] {
  return Array.from({ length: log.nextSeq - log.firstSeq }, (_, at) => log.at(log.firstSeq + at)).filter(
    (event) => event?.kind === 'output',
  );
}

/** Appends bytes as chunks that end at these offsets. */
function cut(log: EventLog, bytes: Buffer, places: readonly number[]): void {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])];
  let from = 0;
  for (const to of ends.toSorted((a, b) => a - b)) {
    if (to > from) log.append('stdout', bytes.subarray(from, to));
    log.seal();
    from = to;
  }
}

describe('A redacted log', () => {
  it.each(SECRET_VECTORS)('[SC4] shows no part of a secret, however it is split: $name', (vector) => {
    const { before, secret, after = '' } = vector;
    const left = 'größer 日本\n\u001b[32m$\u001b[0m ';
    const all = Buffer.from(`${left}${before}${secret}${after}\r\nend of it\n`);
    const start = Buffer.byteLength(left + before);
    fc.assert(
      fc.property(
        fc.array(fc.nat(10_000), { maxLength: 12, size: 'max' }),
        fc.boolean(),
        (places, isBackwards) => {
          const log = new EventLog(LIMITS);
          cut(log, all, places);
          const events = outputs(log);
          const seen = new Map<OutputEvent, OutputEvent>();
          for (const event of isBackwards ? events.toReversed() : events)
            seen.set(event, redacted(log).see(event));
          const bytes = Buffer.concat(events.map((event) => seen.get(event)?.bytes ?? Buffer.alloc(0)));
          expect(bytes.length).toBe(all.length);
          for (let at = 0; at < all.length; at += 1) {
            const isSecret = at >= start && at < start + secret.length && (all[at] ?? 0) > 0x20;
            if (isSecret && bytes[at] !== STAR) throw new Error(`shown: ${bytes.toString()}`);
          }
          expect(bytes.subarray(0, start - before.length)).toEqual(all.subarray(0, start - before.length));
          expect(Buffer.concat(events.map((event) => event.bytes))).toEqual(all);
          for (const event of events) {
            const { bytes: masked, ...rest } = seen.get(event) ?? event;
            expect({ ...rest, bytes: event.bytes }).toEqual(event);
            expect(masked.length).toBe(event.bytes.length);
            expect(redacted(log).see(event)).toBe(seen.get(event));
          }
          expect(redacted(log).tail(1e6)).toEqual(bytes);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('[SC4] shows no part of a secret in several colours, wherever it is split', () => {
    const secret = SECRET_VECTORS[0]?.secret ?? '';
    const coloured = secret.replaceAll(/(.{7})/g, '$1\u001b[0m\u001b[31m');
    const all = Buffer.from(`$ ghp_${coloured} end\n`);
    const reset = '\u001b[0m\u001b[31m';
    const stars = coloured
      .split(reset)
      .map((part) => '*'.repeat(part.length))
      .join(reset);
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 12, size: 'max' }), (places) => {
        const log = new EventLog(LIMITS);
        cut(log, all, places);
        const bytes = Buffer.concat(outputs(log).map((event) => redacted(log).see(event).bytes));
        expect(bytes.toString()).toBe(`$ ghp_${stars} end\n`);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    '\u00ad',
    '\u200b',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u061c',
    '\u202e',
    '\u2066',
    '\u0301',
    '\u20dd',
    '\ufe0f',
    '\ufe0e',
    '\u{e0020}',
    '\u{e0100}',
    '\u009b31m',
    '\u009d0;t\u0007',
    '\u0090x\u009c',
    '\u0081',
    '\u180e',
    '\u115f',
    '\u17b4',
    '\u17b5',
    '\u2800',
    '\u3164',
    '\uffa0',
    '\u{1d173}',
  ])('[SC4] shows no part of a secret with %j inside it, wherever it is split', (hidden) => {
    const secret = ['ghp_aZ9bY8cX7dW6', 'eV5fU4gT3hS2iR1jQ0kP9lO8'];
    const bytes = Buffer.from(`$ ${secret.join(hidden)} end\n`);
    for (let cutAt = 1; cutAt < bytes.length; cutAt += 1) {
      const log = new EventLog(LIMITS);
      const seen: Buffer[] = [];
      for (const piece of [bytes.subarray(0, cutAt), bytes.subarray(cutAt)]) {
        log.append('pty', piece);
        log.seal();
        seen.push(redacted(log).see(outputs(log).at(-1) as never).bytes);
      }
      const shown = Buffer.concat(seen).toString();
      for (const part of secret) expect(shown, `cut at ${cutAt}`).not.toContain(part.slice(4, 9));
      expect(shown).toMatch(/^\$ .* end\n$/s);
    }
    expect(masked(secret.join(hidden)).replaceAll('*', '').replace('ghp_', '')).toBe(hidden);
  });

  it('[SC4] returns events without a secret unchanged, and does not copy them', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'Z', '9', ' ', '\n', '-', '/', 'é', '日', '\u001b[1m', '='),
      maxLength: 600,
      size: 'max',
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(500), { maxLength: 5 }), (words, places) => {
        const log = new EventLog(LIMITS);
        cut(log, Buffer.from(words), places);
        for (const event of outputs(log)) expect(redacted(log).see(event)).toBe(event);
      }),
    );
  });

  it('[SC4] searches each stream separately', () => {
    const log = new EventLog(LIMITS);
    const secret = SECRET_VECTORS[0]?.secret ?? '';
    log.append('stdout', Buffer.from(`ghp_${secret.slice(0, 10)}`));
    log.append('stderr', Buffer.from('a warning\n'));
    log.append('stdout', Buffer.from(`${secret.slice(10)}\n`));
    log.seal();
    const seen = outputs(log).map((event) => redacted(log).see(event).bytes.toString());
    expect(seen).toEqual([`ghp_${'*'.repeat(10)}`, 'a warning\n', `${'*'.repeat(26)}\n`]);
  });

  it('[SC4] masks a secret that is only half printed, in a snapshot and in a picture', () => {
    const secret = SECRET_VECTORS[0]?.secret ?? '';
    const log = new EventLog(LIMITS);
    log.append('pty', Buffer.from(`$ ghp_${secret.slice(0, 12)}`));
    const { open } = redacted(log);
    const screen = Buffer.from(`\u001b[H$ ghp_${secret.slice(0, 12)}\u001b[2;3H`);
    expect(redactedBytes(screen, open).toString()).toBe(`\u001b[H$ ghp_${'*'.repeat(12)}\u001b[2;3H`);
    const rows = [`$ ghp_${secret.slice(0, 4)}`, secret.slice(4, 14), secret.slice(14), '', 'end'];
    const lines = rows.map((row) =>
      row === '' ? [] : [{ text: row.slice(0, 3), bold: true }, { text: row.slice(3) }],
    );
    const shown = redactedLines(lines, 10, '').map((runs) => runs.map(({ text }) => text).join(''));
    expect(shown).toEqual(['$ ghp_****', '*'.repeat(10), '*'.repeat(22), '', 'end']);
    expect(redactedLines(lines.slice(3), 10, '')).toEqual(lines.slice(3));
  });

  it('[SC4] masks a secret in a snapshot that draws its last letter at the end', () => {
    const secret = SECRET_VECTORS[0]?.secret ?? '';
    const log = new EventLog(LIMITS);
    log.append('pty', Buffer.from(`$ ghp_${secret}`));
    const { open } = redacted(log);
    const drawn = (shown: string, last: string): Buffer =>
      Buffer.from(`\u001b[0m$ ghp_${shown}\r\n\r\n\u001b[1;1H\u001b7\u001b[1;42H\u001b[0m${last}`);
    const [apart, again] = [drawn(secret.slice(0, -1), secret.slice(-1)), drawn(secret, secret.slice(-1))];
    expect(redactedBytes(apart, open)).toEqual(drawn('*'.repeat(secret.length - 1), '*'));
    expect(redactedBytes(again, open)).toEqual(drawn('*'.repeat(secret.length), '*'));
  });

  it('[SC4] masks a secret with cursor saves between its letters', () => {
    for (const saving of ['\u001b7', '\u001b[s']) {
      const secret = SECRET_VECTORS[0]?.secret ?? '';
      const log = new EventLog(LIMITS);
      log.append('pty', Buffer.from(`ghp_${secret.split('').join(saving)}\n`));
      log.seal();
      const [seen] = outputs(log).map((event) => redacted(log).see(event).bytes.toString());
      expect(seen?.replaceAll(saving, '')).toBe(`ghp_${'*'.repeat(secret.length)}\n`);
    }
  });

  const KEY = Array.from({ length: 40 }, (_, at) =>
    (SECRET_VECTORS[0]?.secret ?? '').repeat(2).slice(at % 7, 64 + (at % 7)),
  );
  const PEM = ['-----BEGIN PRIVATE KEY-----', ...KEY, '-----END PRIVATE KEY-----']
    .map((line) => `${line}\n`)
    .join('');
  const shownOf = (log: EventLog): string =>
    Buffer.concat(outputs(log).map((event) => redacted(log).see(event).bytes)).toString();

  it.each([false, true])(
    '[SC4] masks the rest of a secret whose beginning was read before and evicted: %s',
    (isLookedAt) => {
      for (let cutAt = 30; cutAt < PEM.length - 30; cutAt += 97) {
        const log = new EventLog({ ...LIMITS, retainedBytes: PEM.length + 100 });
        log.append('pty', Buffer.from(`${'x'.repeat(900)}\n${PEM.slice(0, cutAt)}`));
        log.seal();
        if (isLookedAt) shownOf(log);
        for (let at = cutAt; at < PEM.length; at += 700) {
          log.append('pty', Buffer.from(PEM.slice(at, at + 700)));
          log.seal();
          if (isLookedAt) shownOf(log);
        }
        log.append('pty', Buffer.from(`${'y '.repeat(500)}\nend\n`));
        log.seal();
        expect(log.firstSeq).toBeGreaterThan(1);
        for (const line of KEY) expect(shownOf(log)).not.toContain(line.slice(10, 30));
        expect(shownOf(log)).toContain('y y');
      }
    },
  );

  it('[SC4] masks a private key whose beginning is above the screen or was never printed', () => {
    for (const text of [PEM.slice(100), `$ tail key.pem\n${PEM.slice(700)}$ `, PEM.slice(100, 1500)]) {
      const shown = redactedBytes(Buffer.from(text.replaceAll('\n', '\r\n')), '').toString();
      const rows = text.split('\n').map((line) => (line === '' ? [] : [{ text: line }]));
      const picture = redactedLines(rows, 80, '')
        .flat()
        .map((run) => run.text)
        .join('\n');
      for (const line of KEY) {
        expect(shown).not.toContain(line.slice(10, 30));
        expect(picture).not.toContain(line.slice(10, 30));
      }
    }
    const harmless = `${'0123456789abcdef'.repeat(4)}  a file\n$ ls\na b c\n`;
    expect(redactedBytes(Buffer.from(harmless), '').toString()).toBe(harmless);
  });
});
