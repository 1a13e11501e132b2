// Heights of recorded lines, and scroll positions in content too tall for a browser to lay out.
import { describe, expect, it } from 'vitest';
import { PastRows } from './past-rows.ts';
import { ScrollScale } from './scroll-scale.ts';

describe('PastRows', () => {
  it('finds the line at a row for lines that were measured and lines that were not', () => {
    const rows = new PastRows();
    rows.count = 10_000_000;
    rows.set(5, 3);
    rows.set(2000, 2);
    rows.set(7, 0);
    expect(rows.total).toBe(10_000_002);
    expect([5, 6, 7, 8, 2000, 2001, 9_999_999].map((line) => rows.offsetOf(line))).toEqual([
      5, 8, 9, 9, 2001, 2003, 10_000_001,
    ]);
    for (const line of [0, 5, 6, 8, 2000, 2001, 9_999_999])
      expect(rows.lineAt(rows.offsetOf(line))).toBe(line);
    expect(rows.lineAt(7)).toBe(5);
  });

  it('keeps only the measurements of the newest blocks', () => {
    const rows = new PastRows();
    rows.count = 10_000_000;
    for (let block = 0; block < 1000; block += 1) rows.set(block * 1024, 11);
    expect(rows.total).toBe(10_000_000 + 64 * 10);
  });
});

describe('ScrollScale', () => {
  const extent = { total: 12_000_000, height: 800 };

  it('scrolls short content unscaled', () => {
    const scale = new ScrollScale();
    const short = { total: 50_000, height: 800 };
    expect(scale.scrollTop(1234, short)).toBe(1234);
    expect(scale.contentTop(40_000, 0, short)).toBe(40_000);
  });

  it('scrolls by as many pixels as the view was scrolled, from end to end', () => {
    const scale = new ScrollScale();
    let top = 0;
    let scrollTop = scale.scrollTop(top, extent);
    expect(scrollTop).toBe(0);
    for (let step = 0; step < 4000; step += 1) {
      const next = scale.contentTop(scrollTop + 3000, scrollTop, extent);
      expect(next - top).toBe(3000);
      top = next;
      scrollTop = scale.scrollTop(top, extent);
    }
    for (; top > 0;) {
      const next = Math.max(0, scale.contentTop(scrollTop - 3000, scrollTop, extent));
      expect(next).toBe(Math.max(0, top - 3000));
      top = next;
      scrollTop = scale.scrollTop(top, extent);
      expect(scrollTop).toBeGreaterThanOrEqual(0);
    }
    expect(scrollTop).toBe(0);
  });

  it('reaches any position of the content by moving the scroll bar', () => {
    const scale = new ScrollScale();
    const space = scale.spaceOf(extent.total);
    const middle = scale.contentTop((space - 800) / 2, 0, extent);
    expect(middle).toBeCloseTo((extent.total - 800) / 2, -1);
    expect(scale.scrollTop(middle, extent)).toBeCloseTo((space - 800) / 2, -1);
    expect(scale.contentTop(space - 800, (space - 800) / 2, extent)).toBe(extent.total - 800);
    expect(scale.scrollTop(extent.total - 800, extent)).toBe(space - 800);
  });
});
