// Division of the total log limit among the live logs.
import { expect, it } from 'vitest';
import { ALL_LOGS_BYTES, owedShare, shareOfLogs } from './log-limits.ts';

const MIB = 1024 * 1024;

it('[KP19] A log may have 64 MiB while there are few logs, and less when there are more', () => {
  expect([1, 32, 64, 128].map((count) => shareOfLogs(count) / MIB)).toEqual([64, 64, 32, 16]);
});

it('[KP19] All logs together stay within their limit, and each log has room for two segments', () => {
  for (let count = 1; count <= 256; count += 1)
    expect(count * shareOfLogs(count), String(count)).toBeLessThanOrEqual(ALL_LOGS_BYTES);
  expect(shareOfLogs(5000)).toBe(8 * MIB);
});

it('[KP19] The output retained for an owner fits in a log together with the segment being written', () => {
  expect([64, 16, 8].map((mib) => owedShare(mib * MIB) / MIB)).toEqual([8, 4, 2]);
});
