// Hand-written settings files: all text except exec-console's entries stays unchanged.
import { describe, expect, it } from 'vitest';
import { parsed, rewritten } from './commented-json.ts';

const COMMENTED = `{
  // the theme, "quoted" // twice
  "theme": "x", /* one { */ "permission": {"edit":"ask"},
  "url": "https://example.org/*not a comment*/",
  "last": [1, 2,],
}
`;

describe('a settings file with comments', () => {
  it('[CN1] is read with comments and trailing commas, but not within strings', () => {
    expect(parsed(COMMENTED)).toEqual({
      theme: 'x',
      permission: { edit: 'ask' },
      url: 'https://example.org/*not a comment*/',
      last: [1, 2],
    });
    expect(() => parsed('{ "a": }')).toThrow();
    expect(() => parsed('[]')).toThrow('not an object');
    expect(parsed(' \n')).toEqual({});
  });

  it('[CN1] gets a member, and keeps its other text unchanged', () => {
    const after = { ...parsed(COMMENTED), hooks: { A: [1] } };
    const text = rewritten(COMMENTED, after);
    expect(parsed(text)).toEqual(after);
    const end = ',\n  "hooks": {\n    "A": [\n      1\n    ]\n  },\n}\n';
    expect(text).toBe(COMMENTED.replace(',\n}\n', end));
  });

  it('[CN1] gets another value of a member, and keeps its other text unchanged', () => {
    const after = { ...parsed(COMMENTED), permission: { edit: 'ask', bash: 'deny' } };
    const text = rewritten(COMMENTED, after);
    expect(parsed(text)).toEqual(after);
    expect(text).toBe(COMMENTED.replace('{"edit":"ask"}', '{\n    "edit": "ask",\n    "bash": "deny"\n  }'));
  });

  it.each(['theme', 'permission', 'url', 'last'])('[CN1] loses the member %s, and no comment', (name) => {
    const { [name]: gone, ...after } = parsed(COMMENTED);
    expect(gone).toBeDefined();
    const text = rewritten(COMMENTED, after);
    expect(parsed(text)).toEqual(after);
    expect(text).toContain('// the theme, "quoted" // twice');
  });

  it.each([
    ['between it and the next', '{\n  "x": 1,\n  // mine\n  "b": 2\n}\n', '{\n  // mine\n  "b": 2\n}\n'],
    ['of the member before', '{\n  "a": 1, // mine\n  "x": 2\n}\n', '{\n  "a": 1 // mine\n}\n'],
    ['above the last', '{\n  "a": 1,\n  // mine\n  "x": 2\n}\n', '{\n  "a": 1\n  // mine\n}\n'],
    ['after the last', '{\n  "a": 1,\n  "x": 2 // mine\n}\n', '{\n  "a": 1 // mine\n}\n'],
    ['before a bracket', '{ "a": 1, // mine\n  "x": 2 }', '{ "a": 1 // mine\n   }'],
    ['before a late comma', '{\n  "x": 1 // mine\n  , "b": 2\n}\n', '{ // mine\n   "b": 2\n}\n'],
    ['with a comma', '{\n  "x": 1, // a, b\n  /* c,\n d */\n}\n', '{ // a, b\n  /* c,\n d */\n}\n'],
    ['like a block', '{ "a": 1, // b */\n  "x": 2, }', '{ "a": 1, // b */\n   }'],
    [
      'before its leading comma',
      '{\n  "a": 1 // b\n  , "x": 2 /* c\n */ }',
      '{\n  "a": 1 // b\n    /* c\n */ }',
    ],
    ['of one of two', '{\n  "x": 1, // mine\n  "x": 2,\n  "b": 2\n}\n', '{ // mine\n  "b": 2\n}\n'],
    ['of windows', '{\r\n  "x": 1,\r\n  // mine\r\n  "b": 2\r\n}', '{\r\n  // mine\r\n  "b": 2\r\n}'],
  ])('[CN1] loses a member, and keeps a comment %s', (_, text, expected) => {
    const { x, ...after } = parsed(text);
    expect(x).toBeDefined();
    expect(rewritten(text, after)).toBe(expected);
    expect(parsed(expected)).toEqual(after);
  });

  it('[CN1] refuses a change that would lose a comment', () => {
    const text = '{\n  "hooks": {\n    "A": [\n      // mine\n    ]\n  }\n}\n';
    expect(() => rewritten(text, { hooks: { A: [1] } })).toThrow('A has comments');
    expect(() => rewritten('{ /* one line */ "a": {} }', { a: {}, b: 1 })).not.toThrow();
  });

  it('[CN1] gets and loses a nested member, and keeps the comments and trailing commas around it', () => {
    const text = '{\n  "servers": {\n    // mine\n    "a": { "b": [1,], /* c */ },\n  },\n}\n';
    const more = rewritten(text, { servers: { a: { b: [1] }, console: { command: 'x' } } });
    expect(more).toBe(
      text.replace('/* c */ },\n', '/* c */ },\n    "console": {\n      "command": "x"\n    },\n'),
    );
    expect(rewritten(more, { servers: { a: { b: [1] } } })).toBe(text);
    const empty = '{\n  "servers": {\n    // mine\n  }\n}\n';
    const filled = rewritten(empty, { servers: { a: 1 } });
    expect(filled).toBe('{\n  "servers": {\n    "a": 1\n    // mine\n  }\n}\n');
  });

  it.each(['', '{}', '{\n}\n', '{ // only this\n}\n', '{"theme":"dark"}', '{\n\t"a": 1\n}', '{ /* x */ }'])(
    '[CN1] gets a member, and loses it again: %j',
    (text) => {
      const before = parsed(text);
      const more = rewritten(text, { ...before, hooks: { A: [] } });
      expect(parsed(more)).toEqual({ ...before, hooks: { A: [] } });
      expect(parsed(rewritten(more, before))).toEqual(before);
    },
  );
});
