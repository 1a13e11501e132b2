// A channel over stdio, with streams that the test controls.
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { StdioChannel } from './stdio.ts';

const limits = { messageBytes: 100, lastRepliesMs: 20 };

function connect(output: Writable = new PassThrough()) {
  const input = new PassThrough();
  const heard: string[] = [];
  const channel = new StdioChannel(input, output, limits);
  channel.listen({
    onMessage: (text) => heard.push(text),
    onMalformed: (reason) => heard.push(`malformed: ${reason}`),
    onArriving: () => 0,
    onDrain: () => heard.push('drain'),
    onEnd: () => heard.push('end'),
    onClose: () => heard.push('close'),
  });
  return { input, output, channel, heard };
}

/** Creates a stream that accepts nothing until it is released. */
function stuck() {
  const waiting: (() => void)[] = [];
  const taken: string[] = [];
  const output = new Writable({
    writev(chunks, done) {
      waiting.push(() => {
        for (const { chunk } of chunks) taken.push(String(chunk));
        done();
      });
    },
  });
  return { output, taken, takeAll: () => waiting.splice(0).forEach((take) => take()) };
}

describe('StdioChannel', () => {
  it('[ST1] sends a message as one line', () => {
    const { channel, output } = connect();
    channel.batch(() => {
      channel.send('{"a":1}');
      channel.send(Buffer.from('{"b":2}'));
    });
    expect(String((output as PassThrough).read())).toBe('{"a":1}\n{"b":2}\n');
  });

  it('[ST1] counts the unsent bytes, and notifies when they have been sent', async () => {
    const { output, takeAll } = stuck();
    const { channel, heard } = connect(output);
    channel.send('x'.repeat(100_000));
    expect(channel.unsentBytes).toBe(100_001);
    takeAll();
    await new Promise((resolve) => setImmediate(resolve));
    expect([channel.unsentBytes, heard]).toEqual([0, ['drain']]);
  });

  it('[ST2] closes when all earlier messages have been sent, and sends none after that', async () => {
    const { output, taken, takeAll } = stuck();
    const { channel, heard } = connect(output);
    channel.send('1');
    channel.close();
    channel.send('2');
    expect(heard).toEqual([]);
    takeAll();
    await new Promise((resolve) => setImmediate(resolve));
    takeAll();
    await channel.gone;
    expect([taken.join(''), heard]).toEqual(['1\n', ['close']]);
  });

  it('[ST2] closes even when its output is not read', async () => {
    const { channel, heard } = connect(stuck().output);
    channel.send('1');
    channel.close();
    await channel.gone;
    expect(heard).toEqual(['close']);
  });

  it.each(['input', 'output'] as const)('[ST2] closes once, on an error of its %s', async (which) => {
    const parts = connect();
    parts[which].destroy(new Error('EPIPE'));
    await parts.channel.gone;
    parts.channel.close();
    parts.channel.send('late');
    expect(parts.heard).toEqual(['close']);
  });

  it('[ST1] reports the end after the last line', async () => {
    const { input, heard } = connect();
    input.end('{"a":1}\n \r\n{"b":2}');
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['{"a":1}', '{"b":2}', 'end']);
  });
});
