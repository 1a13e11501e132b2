// Processes that outlive their gateway, which is killed at many random moments.
import { describe, it } from 'vitest';
import { expectKept } from '../testing/kept-runs.ts';

const RUNS = 50;

describe('A gateway that is killed', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => run + 1))(
    'loses no byte, no exit and no write of a session that is resumed: seed %i',
    (seed) => expectKept(seed),
  );
});
