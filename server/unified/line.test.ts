// Tests that a line connects again after its connection was refused.
import { expect, it } from 'vitest';
import { Line } from './line.ts';

it('connects at the next attempt when the gateway had no room', async () => {
  let isFull = true;
  const line = new Line({
    identity: { tokenId: 't1', name: 'bot', role: 'agent', expiresAtMs: null },
    clientName: 'agent',
    from: 'mcp',
    serve: (channel) => {
      if (isFull) throw new Error('200 connections with this token are open');
      channel.listen({
        onMessage: (text) => {
          const { id } = JSON.parse(text) as { id?: number };
          const result = { sessionId: 's', console: { session: 'label' } };
          if (id !== undefined) channel.send(JSON.stringify({ id, result }));
        },
        onMalformed: () => undefined,
        onArriving: () => undefined,
        onDrain: () => undefined,
        onEnd: () => undefined,
        onClose: () => undefined,
      });
    },
  });
  line.use({});
  await expect(line.attach()).rejects.toThrow('200 connections');
  isFull = false;
  await line.attach();
  expect(line.label).toBe('label');
});
