// Tests of the bytes of event messages: rules DE1 and DE7.
import { expect, it } from 'vitest';
import { Frames, outputFrame, type FrameHead, type Step } from './frames.ts';

const frame = (head: FrameHead, step: Step): unknown => JSON.parse(new Frames(head).of(step).toString());

const OUTPUT = { kind: 'output', seq: 7, offset: 0, stream: 'stderr', atMs: 1234 } as const;
const WATCHED = { key: 'k1', processId: 'größe "p"' };

it('[DE1] an output message has the bytes in base64, whatever their number', () => {
  for (const bytes of ['', 'a', 'ab', 'abc', 'abcd', 'ä€'.repeat(100)].map((text) => Buffer.from(text)))
    expect(frame(WATCHED, { ...OUTPUT, bytes })).toEqual({
      method: 'process/output',
      params: { ...WATCHED, seq: 7, stream: 'stderr', atMs: 1234, chunk: bytes.toString('base64') },
    });
});

it('[DE1] messages for an owner have neither key nor time', () => {
  expect(frame({ processId: 'p' }, { ...OUTPUT, bytes: Buffer.from('abc') })).toEqual({
    method: 'process/output',
    params: { processId: 'p', seq: 7, stream: 'stderr', chunk: 'YWJj' },
  });
});

it('[DE1][DE7] all other events have every member of their step', () => {
  for (const [step, method, params] of [
    [
      { kind: 'exited', seq: 1, offset: 0, exitCode: 9, sandboxDenied: true },
      'exited',
      { seq: 1, exitCode: 9, sandboxDenied: true },
    ],
    [{ kind: 'closed', seq: 2, offset: 0 }, 'closed', { seq: 2 }],
    [{ kind: 'gap', afterSeq: 3, nextSeq: 5, bytes: 600 }, 'gap', { afterSeq: 3, nextSeq: 5, bytes: 600 }],
    [
      { kind: 'resized', mark: { afterSeq: 4, rows: 24, cols: 80 } },
      'resized',
      { afterSeq: 4, rows: 24, cols: 80 },
    ],
  ] as const)
    expect(frame(WATCHED, step)).toEqual({ method: `process/${method}`, params: { ...WATCHED, ...params } });
});

it('outputFrame counts the bytes of its head, not the letters', () => {
  expect(outputFrame('{"ä":{"€":"', Buffer.from('abcd')).toString()).toBe('{"ä":{"€":"YWJjZA=="}}');
});
