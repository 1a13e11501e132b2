// Output that the keeper cannot send, because its record in the log is damaged.
import { expect, it } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToGateway } from '../wire/frames.ts';
import type { Line } from '../wire/line.ts';
import { outputBytes, putOutputHead, type Held } from '../wire/messages.ts';
import { HeldChild } from './held-child.ts';

function frameOf(offset: number, text: string): Buffer {
  const payload = Buffer.alloc(outputBytes(text.length));
  payload.write(text, putOutputHead(payload, 0, { offset, stream: 'stdout', atMs: 1 }));
  return payload;
}

it.each([
  ['a process that it started', null, 0],
  ['a process that it took over', 100, 100],
])('[KP10] HeldChild reports missing output at its place, for %s', async (_, from, base) => {
  const held = { process: 1, key: 'k', child: { streams: [] }, applied: 0, exit: null };
  const child = new HeldChild({ sendJson: () => {} } as unknown as Line, held as unknown as Held);
  if (from !== null) child.followFrom(from);
  const events: unknown[] = [];
  child.begin({
    onOutput: (_stream, bytes) => events.push(bytes.toString()),
    onMissing: (bytes) => events.push(bytes),
    onResized() {},
    onExit() {},
    onEnd() {},
  });
  child.receive(ToGateway.output, frameOf(base, 'ab'));
  await nextTurn();
  child.receive(ToGateway.output, frameOf(base + 2, 'c'));
  child.receive(ToGateway.output, frameOf(base + 7, 'd'));
  child.receive(ToGateway.output, frameOf(base + 8, 'e'));
  expect(events).toEqual(['ab', 'c', 4, 'd', 'e']);
});
