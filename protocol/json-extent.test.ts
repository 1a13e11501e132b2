// Limits on the nesting depth and number of a message's values, checked before parsing: rule LI14.
import { describe, expect, it } from 'vitest';
import { beyond } from './json-extent.ts';

const limits = { levels: 3, values: 6, members: 1000 };

describe('beyond', () => {
  it.each([
    ['[[[1]]]', null],
    ['[[[[1]]]]', 'levels'],
    ['{"a":{"b":{"c":{}}}}', 'levels'],
    // Closed brackets do not add to the depth, but count as values.
    ['[[],[]]', null],
    ['[[],[],[]]', 'values'],
    ['[1,2,3,4,5]', null],
    ['[1,2,3,4,5,6]', 'values'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', null],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', 'values'],
  ])('[LI14] finds the exceeded limit of %s', (text, expected) => {
    expect(beyond(text, limits)).toBe(expected);
  });

  it.each([
    '"[[[[,,,,,,,"',
    String.raw`"\"[[[[,,,,,,,"`,
    String.raw`["\\","\\\"[[[[,,,,"]`,
    '"[[[[,,,,,, and no end',
    '',
    '"',
    ']]]]]',
  ])('[LI14] does not count the contents of a string: %s', (text) => {
    expect(beyond(text, limits)).toBeNull();
  });

  it.each([
    ['[{"a":1,"b":2},{"c":3}]', null],
    ['[{"a":1,"b":2},{"c":3,"d":4}]', 'members'],
    ['{"a:b":":::::","c":[1,2,3,4,5]}', null],
    ['{"a":{"b":{"c":{"d":1}}}}', 'members'],
  ])('[LI14] counts the members of all objects: %s', (text, expected) => {
    expect(beyond(text, { levels: 10, values: 1000, members: 3 })).toBe(expected);
  });

  it('[LI14] counts the values after a string that contains quotes', () => {
    expect(beyond(String.raw`["\\",[[[1]]]]`, limits)).toBe('levels');
    expect(beyond(String.raw`["\"",1,2,3,4,5]`, limits)).toBe('values');
  });

  it.each([
    ['[[[1]]]', null],
    ['[[[[1]]]]', 'levels'],
    ['[{"a":[{}]}]', 'levels'],
    ['{"a":"[[[[{{{{"}', null],
    ['[[],[],[],[],[]]', null],
  ])('[LI14] checks the depth of a text too short to have too many values: %s', (text, expected) => {
    expect(beyond(text, { levels: 3, values: 1000, members: 1000 })).toBe(expected);
  });
});
