// The part of a command line that is shown: rule LI9.
import { describe, expect, it } from 'vitest';
import { shownCommand } from './shown-command.ts';

describe('[LI9] A command line', () => {
  it.each([[['ls', '-l', '']], [['12345678', '']], [['1234567890']]])(
    'is shown in full when it is short enough: %j',
    (argv) => {
      expect(shownCommand(argv, 10)).toEqual(argv);
    },
  );

  it('is cut when it is too long, and ends with an ellipsis', () => {
    expect(shownCommand(['12345678901'], 10)).toEqual(['1234567890…']);
    expect(shownCommand(['sh', '-c', 'much too long', 'more'], 10)).toEqual(['sh', '-c', 'much…']);
    expect(shownCommand(['1234567890', 'x', 'y'], 10)).toEqual(['1234567890', '…']);
    expect(shownCommand(['1234567890', '', ''], 10)).toEqual(['1234567890', '…']);
    expect(shownCommand(['\u0001'.repeat(4)], 13)).toEqual(['\u0001\u0001…']);
  });
});
