// @vitest-environment happy-dom
// The work of a page's log is linear in the size of its output, whatever the output contains (rule HC4).
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GROWTH_RUNS, repeated, tooMuchGrowth, type Scanner } from '../../../server/testing/growth.ts';
import { visible, visibleLines } from '../../../text/visible.ts';
import { LogLines } from './log-lines.ts';

const SCANNERS: { readonly [name: string]: Scanner } = {
  'reading lines': {
    length: 64 * 1024,
    scan: (_, bytes) => {
      const lines = new LogLines(() => undefined);
      lines.output('stdout', bytes, 0, null);
      return lines.text();
    },
  },
  'showing hidden characters': { length: 256 * 1024, scan: (text) => visible(text) },
  'showing lines': { length: 256 * 1024, scan: (text) => visibleLines(text) },
};

it.each(Object.keys(SCANNERS))('[HC4] the work of %s grows no faster than the output', (name) => {
  const scanner = SCANNERS[name] as Scanner;
  fc.assert(
    fc.property(repeated, (what) => {
      expect(tooMuchGrowth(scanner, what)).toBeNull();
    }),
    GROWTH_RUNS,
  );
});
