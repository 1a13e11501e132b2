// Validation of process/write and of addresses: rule CO8.
import { describe, expect, it } from 'vitest';
import { decoders } from './records.ts';

describe('process/write', () => {
  const write = (writeId: string) => decoders['process/write']({ processId: 'p', chunk: '', writeId });

  it.each(['1', 'x'.repeat(256), '€'.repeat(85), '😀'.repeat(64)])('accepts the writeId %j', (writeId) => {
    expect(write(writeId).ok).toBe(true);
  });

  it.each(['', 'x'.repeat(257), '€'.repeat(86), '😀'.repeat(65)])('rejects the writeId %j', (writeId) => {
    expect(write(writeId)).toMatchObject({ ok: false, reason: expect.stringContaining('params.writeId') });
  });
});

describe('The address', () => {
  it.each(['process/read', 'process/write', 'process/wait'] as const)(
    '[CO8] is either a processId or a key: %s',
    (method) => {
      const rest = { chunk: '', writeId: '1', waitMs: 0 };
      expect(decoders[method]({ ...rest, processId: 'p' }).ok).toBe(true);
      expect(decoders[method]({ ...rest, key: 'k' }).ok).toBe(true);
      expect(decoders[method](rest).ok).toBe(false);
      expect(decoders[method]({ ...rest, processId: 'p', key: 'k' }).ok).toBe(false);
    },
  );
});
