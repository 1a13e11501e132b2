// Tests of the links that a terminal retains, counted by its markers, which follow every scrolled line: rule
// HC4.
import type { Terminal } from '@xterm/headless';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshTerminal, written } from '../testing/seen-terminal.ts';

const LINES = 6000;

let terminal: Terminal;
beforeEach(() => {
  terminal = freshTerminal({ rows: 24, cols: 80 }, 10_000);
});
afterEach(() => terminal.dispose());

const link = (address: string, text: string, id = ''): string =>
  `\u001b]8;${id && `id=${id}`};${address}\u001b\\${text}\u001b]8;;\u001b\\`;
const markers = (): number => terminal.markers.length;

function linkIdAt(row: number): number {
  const cell = terminal.buffer.active.getLine(row)?.getCell(0) as object;
  return (Reflect.get(cell, 'extended') as { readonly urlId: number }).urlId;
}

function isKnown(id: number): boolean {
  const core = Reflect.get(terminal, '_core') as object;
  const links = Reflect.get(core, '_oscLinkService') as { getLinkData(id: number): unknown };
  return links.getLinkData(id) !== undefined;
}

it('[HC4] only the newest of very many links are retained', async () => {
  const all = Array.from({ length: LINES }, (_, at) => `${link(`https://a.example/${at}`, 'x')}\r\n`);
  await written(terminal, all.join(''));
  expect(markers()).toBeLessThanOrEqual(2000);
  expect(isKnown(linkIdAt(LINES - 1))).toBe(true);
  expect(isKnown(linkIdAt(0))).toBe(false);
});

it('[HC4] a link over very many lines has a limited number of markers', async () => {
  await written(terminal, link('https://a.example', 'x\r\n'.repeat(LINES), 'one'));
  expect(markers()).toBeLessThanOrEqual(500);
  expect(isKnown(linkIdAt(LINES - 1))).toBe(true);
});

it('[HC4] a very long link is ignored', async () => {
  await written(
    terminal,
    `${link(`https://a.example/${'x'.repeat(5000)}`, 'x')}\r\n${link('https://a.example', 'x')}`,
  );
  expect([0, 1].map(linkIdAt).map(isKnown)).toEqual([false, true]);
  expect(markers()).toBe(1);
});

it('[HC4] a link over two lines is retained in both', async () => {
  await written(terminal, link('https://a.example', 'one\r\ntwo'));
  expect([linkIdAt(0), linkIdAt(1)].map(isKnown)).toEqual([true, true]);
  expect(markers()).toBe(2);
});
