// Tests of the matches in an output and their places: rules SR1 and SR2.
import { describe, expect, it } from 'vitest';
import { ERASED_LINES } from '../../text/testing/erased-lines.ts';
import { expressionOf } from '../../text/line-query.ts';
import { matchLines } from './match-lines.ts';

interface Options {
  readonly isRegex?: boolean;
  readonly isCaseSensitive?: boolean;
}

const found = (output: string, text: string, options: Options = {}) =>
  matchLines(expressionOf({ text, isRegex: false, isCaseSensitive: false, ...options }), {
    output: Buffer.from(output),
    offset: 1000,
    limit: 3,
    isRedacted: false,
  });
const find = (output: string, text: string, options: Options = {}) => found(output, text, options).hits;

describe('matchLines', () => {
  it('[SR1] returns the line, its offset in all output, and the place of the match in it', () => {
    expect(find('one\ntwo ERROR x\nthree', 'error')).toEqual([
      { offset: 1004, text: 'two ERROR x', start: 4, end: 9 },
    ]);
  });

  it.each([
    ['colours', 'a\u001b[1;31mer\u001b[0mror\n', 'error'],
    ['a title', '\u001b]0;error\u0007an error', 'an error'],
    ['overwritten text', 'error 10 %\rerror 20 %\r\n', 'error 20 %'],
    ['other control characters', 'err\u0001or', 'error'],
  ])('[SR1] ignores %s', (_what, output, text) => {
    expect(find(output, text)).toHaveLength(1);
    expect(find(output, '10 %')).toEqual([]);
    expect(find(output, '0;error')).toEqual([]);
  });

  it.each(ERASED_LINES.filter(([, left]) => left === 'done'))(
    '[SR1] finds the visible rest of the line %j',
    (printed) => {
      expect(find(`${printed}\n`, '^done$', { isRegex: true })).toMatchObject([{ text: 'done' }]);
    },
  );

  it('takes text literally, and as an expression on request', () => {
    expect(find('a.b\naxb', 'a.b')).toHaveLength(1);
    expect(find('a.b\naxb', 'a.b', { isRegex: true })).toHaveLength(2);
    expect(find('[x](y) $1 \\ -/', '[x](y) $1 \\ -/')).toHaveLength(1);
    expect(find('Error\nerror', 'error', { isCaseSensitive: true })).toHaveLength(1);
    expect(() => find('', '(', { isRegex: true })).toThrow(SyntaxError);
  });

  it('[SR2] returns the newest hits of many, and reports that there were more', () => {
    const { hits, isCut } = found('x1\nx2\nx3\nx4\nx5', 'x');
    expect(hits.map(({ text }) => text)).toEqual(['x3', 'x4', 'x5']);
    expect(isCut).toBe(true);
    expect(found('x1\nx2\nx3', 'x').isCut).toBe(false);
  });

  it('returns the part of a long line around the match', () => {
    const [hit] = find(`${'a'.repeat(5000)}needle${'b'.repeat(5000)}`, 'needle');
    expect(hit?.text).toHaveLength(300);
    expect(hit?.text.slice(hit.start, hit.end)).toBe('needle');
    const [atEnd] = find(`${'a'.repeat(5000)}needle`, 'needle');
    expect(atEnd?.text.slice(atEnd.start, atEnd.end)).toBe('needle');
  });
});
