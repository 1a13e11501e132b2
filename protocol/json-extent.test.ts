// Limits on the nesting and number of a message's values, checked on its text: rule LI14.
import { describe, expect, it } from 'vitest';
import { beyond } from './json-extent.ts';

const limits = { levels: 3, values: 6 };

describe('beyond', () => {
  it.each([
    ['[[[1]]]', null],
    ['[[[[1]]]]', 'levels'],
    ['{"a":{"b":{"c":{}}}}', 'levels'],
    // Brackets that are closed again are no depth, but values.
    ['[[],[]]', null],
    ['[[],[],[]]', 'values'],
    ['[1,2,3,4,5]', null],
    ['[1,2,3,4,5,6]', 'values'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', null],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', 'values'],
  ])('[LI14] %s', (text, expected) => {
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
  ])('[LI14] does not count what stands in a string: %s', (text) => {
    expect(beyond(text, limits)).toBeNull();
  });

  it('[LI14] sees what comes after a string with quotes in it', () => {
    expect(beyond(String.raw`["\\",[[[1]]]]`, limits)).toBe('levels');
    expect(beyond(String.raw`["\"",1,2,3,4,5]`, limits)).toBe('values');
  });

  it.each([
    ['[[[1]]]', null],
    ['[[[[1]]]]', 'levels'],
    ['[{"a":[{}]}]', 'levels'],
    ['{"a":"[[[[{{{{"}', null],
    ['[[],[],[],[],[]]', null],
  ])('[LI14] also of a text too short to have too many values: %s', (text, expected) => {
    expect(beyond(text, { levels: 3, values: 1000 })).toBe(expected);
  });
});
