// Processes that outlive their gateway: killed, started again, and nothing is lost; kept.nightly.test.ts has more runs.
import { describe, it } from 'vitest';
import { expectKept } from '../testing/kept-runs.ts';

const RUNS = 2;

describe('A gateway that is killed', () => {
  it.each(Array.from({ length: RUNS }, (_, run) => run + 1))(
    '[KP1][KP3][KP4] loses no byte, no exit and no write of a session that is resumed: seed %i',
    (seed) => expectKept(seed),
  );
});
