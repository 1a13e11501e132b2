// Row offsets match the sum of all rows, whatever was added, changed and dropped.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RowMap } from './row-map.ts';

it('a RowMap matches the sum of all rows after any changes', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('append' as const),
      rows: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 700, size: 'max' }),
    }),
    fc.record({ kind: fc.constant('set' as const), at: fc.nat(2000), rows: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant('drop' as const), count: fc.nat(900) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12, size: 'max' }), (steps) => {
      const map = new RowMap(0);
      let rows: number[] = [];
      let firstId = 0;
      for (const each of steps) {
        if (each.kind === 'append') {
          for (const count of each.rows) map.append(count);
          rows.push(...each.rows);
        } else if (each.kind === 'set') {
          map.set(firstId + each.at, each.rows);
          if (each.at < rows.length) rows[each.at] = each.rows;
        } else {
          map.dropTo(firstId + each.count);
          const count = Math.min(each.count, rows.length);
          rows = rows.slice(count);
          firstId += count;
        }
      }
      const total = rows.reduce((sum, count) => sum + count, 0);
      expect([map.firstId, map.endId, map.total]).toEqual([firstId, firstId + rows.length, total]);
      let above = 0;
      rows.forEach((count, at) => {
        expect(map.offsetOf(firstId + at)).toBe(above);
        expect(map.idAt(above)).toBe(firstId + at);
        expect(map.idAt(above + count - 1)).toBe(firstId + at);
        above += count;
      });
    }),
    { numRuns: 60 },
  );
});
