// Output that precedes a file's content: it is searched too, since a secret may begin there (rule SC9).
import { expect, it } from 'vitest';
import { toBase64 } from '../../../client/bytes.ts';
import type { Connection } from '../../../client/exec-client.ts';
import { outputWithin } from './range-output.ts';
import { inFile, retainedOutput, type Earlier, type Retained } from './retained-output.ts';
import { withScreens } from './retained-screen.ts';

const KEY = 'k';

/**
 * Fakes a gateway with a chunk `N;` at N ms for each seq N from `firstSeq` to `lastSeq`; its screen contains all up
 * to `screenSeq`.
 */
function gateway(firstSeq: number, lastSeq: number, screenSeq: number): Pick<Connection, 'request'> {
  const encoded = (text: string): string => toBase64(new TextEncoder().encode(text));
  const read = ({ afterSeq }: { readonly afterSeq: number }) => {
    const from = Math.max(afterSeq + 1, firstSeq);
    const count = Math.max(0, Math.min(50, lastSeq + 1 - from));
    const chunks = Array.from({ length: count }, (_, at) => {
      const seq = from + at;
      return { seq, stream: 'pty', chunk: encoded(`${seq};`), atMs: seq };
    });
    return {
      chunks,
      nextSeq: Math.min(from + count, lastSeq + 1),
      missedBytes: afterSeq + 1 < firstSeq ? 100 : 0,
      sizes: [{ afterSeq, rows: 24, cols: 80 }],
      exitedSeq: null,
      closedSeq: null,
      exited: false,
      exitCode: null,
      sandboxDenied: false,
    };
  };
  const screen = ({ masked }: { readonly masked?: boolean }) => ({
    seq: screenSeq,
    rows: 24,
    cols: 80,
    data: encoded(masked === true ? 'masked screen' : 'screen'),
    exact: true,
    isReached: true,
  });
  const request = (method: string, params: never) =>
    Promise.resolve(method === 'process/read' ? read(params) : screen(params));
  return { request } as unknown as Pick<Connection, 'request'>;
}

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const events: T[] = [];
  for await (const page of pages) events.push(...page);
  return events;
}

const seqOf = (event: Retained | Earlier): number | null =>
  event.kind === 'output' || event.kind === 'screen' ? event.seq : null;

it.each(['text', 'raw'] as const)('[SC9] a range, as %s, follows the 128 events before it', async (kind) => {
  const range = { fromMs: 201, toMs: 210 };
  const pages = () =>
    outputWithin(gateway(1, 300, 200), { info: { key: KEY, tty: true }, kind, range, secrets: 'masked' });
  const events = (await all(pages())).filter((event) => event.kind !== 'screen' && event.kind !== 'resized');
  const earlier = events.flatMap((event) => (event.kind === 'earlier' ? [event.event] : []));
  const outputs = earlier.filter((event) => event.kind === 'output');
  expect([outputs.length, outputs[0]?.seq, outputs.at(-1)?.seq]).toEqual([128, 73, 200]);
  const saved = (await all(inFile(pages()))).flatMap((event) => (event.kind === 'output' ? [event.seq] : []));
  expect(saved).toEqual([201, 202, 203, 204, 205, 206, 207, 208, 209, 210]);
  // The file begins with the screen, unless it is raw.
  expect((await all(inFile(pages()))).filter(({ kind: each }) => each === 'screen')).toHaveLength(
    kind === 'raw' ? 0 : 1,
  );
});

it('[SC9] a gap before a range is not in the file', async () => {
  const range = { fromMs: 201, toMs: 210 };
  const pages = outputWithin(gateway(190, 300, 200), {
    info: { key: KEY, tty: false },
    kind: 'text',
    range,
    secrets: 'shown',
  });
  const events = await all(pages);
  const earlier = events.flatMap((event) => (event.kind === 'earlier' ? [event.event] : []));
  expect(earlier.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  expect(events.filter(({ kind }) => kind === 'gap')).toEqual([]);
});

it('[SC9] output that a screen after a gap contains is earlier output', async () => {
  const source = gateway(5, 12, 9);
  const events = await all(withScreens(source, KEY, retainedOutput(source, KEY)));
  expect(
    events.filter(({ kind }) => kind === 'earlier').map((event) => seqOf((event as Earlier).event)),
  ).toEqual([5, 6, 7, 8, 9]);
  expect(events.map(seqOf).filter((seq) => seq !== null)).toEqual([9, 10, 11, 12]);
});

it.each([
  ['masked', 'masked screen'],
  ['shown', 'screen'],
] as const)(
  '[SC9] the screen of a range with secrets %s is drawn accordingly: %s',
  async (secrets, expected) => {
    const range = { fromMs: 201, toMs: 210 };
    const info = { key: KEY, tty: true };
    const pages = outputWithin(gateway(1, 300, 200), { info, kind: 'text', range, secrets });
    const screens = (await all(pages)).flatMap((event) => (event.kind === 'screen' ? [event.data] : []));
    expect(screens.map((data) => new TextDecoder().decode(data))).toEqual([expected]);
  },
);
