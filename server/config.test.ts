// Tests that the documented limits for clients are the actual ones: rule LI1.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from './config.ts';

const KIB = 1024;
const documented = readFileSync(new URL('../docs/limits.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|'))
  .flatMap(([, names = '', atMost = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, atMost })),
  )
  // `writeId` is a param on the wire, not the name of a limit.
  .filter(({ name }) => name !== 'writeId');

/** Returns the forms in which the document may state a limit: grouped digits, or a number with a unit. */
function written(value: number): string[] {
  const grouped = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
  const units = { KiB: KIB, MiB: KIB ** 2, GiB: KIB ** 3, min: 60_000, s: 1000, ms: 1 };
  return [grouped(value), ...Object.entries(units).map(([unit, size]) => `${grouped(value / size)} ${unit}`)];
}

describe('[LI1] The limits in docs/limits.md', () => {
  it('are found', () => {
    expect(documented.length).toBeGreaterThan(30);
  });

  it.each(documented)('have the actual value of $name', ({ name, atMost }) => {
    expect(Object.keys(DEFAULT_LIMITS)).toContain(name);
    expect(written(DEFAULT_LIMITS[name as keyof Limits]).filter((text) => atMost.includes(text))).not.toEqual(
      [],
    );
  });
});
