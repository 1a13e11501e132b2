// Shares of the live logs in what all of them may have.
import { expect, it } from 'vitest';
import { ALL_LOGS_BYTES, owedShare, shareOfLogs } from './log-limits.ts';

const MIB = 1024 * 1024;

it('[KP19] A log has 64 MiB while few are there, and less the more there are', () => {
  expect([1, 32, 64, 128].map((count) => shareOfLogs(count) / MIB)).toEqual([64, 64, 32, 16]);
});

it('[KP19] All logs together keep within their limit, and each has room for two segments', () => {
  for (let count = 1; count <= 256; count += 1)
    expect(count * shareOfLogs(count), String(count)).toBeLessThanOrEqual(ALL_LOGS_BYTES);
  expect(shareOfLogs(5000)).toBe(8 * MIB);
});

it('[KP19] What an owner may not have got fits beside a segment that is written to', () => {
  expect([64, 16, 8].map((mib) => owedShare(mib * MIB) / MIB)).toEqual([8, 4, 2]);
});
