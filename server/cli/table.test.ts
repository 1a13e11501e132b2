// Columns for people, with text in any script: rule SN11.
import { expect, it } from 'vitest';
import { textCells } from '../../text/characters.ts';
import { table } from './table.ts';

it('[SN11] the columns of a table stay aligned after wide and combining characters', () => {
  const names = ['plain', '漢字', '🫠ok', 'e\u0301te\u0301', '👩‍👩‍👧', '🇩🇪'];
  const lines = table(names.map((name) => [name, 'x'])).split('\n');
  expect(lines.map((line) => textCells(line.slice(0, line.indexOf('x'))))).toEqual(names.map(() => 7));
});
