// Tests of event streams whose events are split over lines, and of the limit of one event.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { eventsOf } from './event-stream.ts';

const MOST_BYTES = 40;

async function eventsIn(...chunks: readonly string[]): Promise<readonly string[]> {
  const events: string[] = [];
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  for await (const event of eventsOf(stream, MOST_BYTES)) events.push(event);
  return events;
}

it('eventsOf joins the data lines of each event', async () => {
  expect(await eventsIn('event: a\nda', 'ta: 1\ndata:2\r\n\r\n: ping\n\ndata: 3\n\n')).toEqual(['1\n2', '3']);
});

it('eventsOf limits each event, not the stream', async () => {
  const event = 'data: 0123456789\ndata: 0123456789\n\n';
  expect(await eventsIn(event, event, event)).toEqual(Array(3).fill('0123456789\n0123456789'));
});

it.each([
  ['one line', ['data: ', '0123456789'.repeat(4)]],
  ['many lines', Array<string>(4).fill('data: 0123456789\n')],
  ['empty lines', Array<string>(8).fill('data:\n')],
])('eventsOf rejects an event that is too long because of %s', async (_, chunks) => {
  await expect(eventsIn(...chunks)).rejects.toThrow('the gateway sent an event that is too long');
});
