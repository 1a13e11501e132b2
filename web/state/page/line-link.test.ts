// Links to lines of a process.
import { expect, it } from 'vitest';
import { lineHref, parseLineLink } from './line-link.ts';

it.each([
  { key: 'gxPZzLW8EVkGXlw8', line: 10 },
  { key: 'gxPZzLW8EVkGXlw8', line: 10, endLine: 20 },
  { key: '_-a', offset: 1, endOffset: 2 },
])('a link to %j is parsed back', (link) => {
  expect(parseLineLink(lineHref(link))).toEqual(link);
});

it.each([
  '#__proto__:L1',
  '#constructor:L1',
  '#a%2Fb:L1',
  '#%3Cb%3E:L1',
  '#a%E2%80%AE:B1',
  '#%:L1',
  '#key:L',
])('the link %s leads to no process', (hash) => {
  expect(parseLineLink(hash)).toBeNull();
});
