// Ids that a gateway generates, used on a command line.
import { expect, it } from 'vitest';
import { randomId } from './random-id.ts';

it('randomId never returns an id that looks like a flag', () => {
  // One in 64 ids would begin with a dash if this were not prevented.
  const ids = Array.from({ length: 5000 }, () => randomId(12));
  expect(ids.filter((id) => !/^\w[\w-]{15}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
