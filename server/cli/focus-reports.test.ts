// Focus reports to a program, sent by the command in control.
import { beforeEach, expect, it } from 'vitest';
import { FocusReports } from './focus-reports.ts';

let sent: string[];
let isControlled: boolean;
let focus: FocusReports;
beforeEach(() => {
  sent = [];
  isControlled = true;
  focus = new FocusReports({
    isControlled: () => isControlled,
    send: (report) => sent.push(report.toString()),
  });
});

const printed = (output: string): void => focus.printed(Buffer.from(output));
const typed = (text: string): string => Buffer.from(focus.typed(Buffer.from(text))).toString();
const IN = '\u001b[I';
const OUT = '\u001b[O';

it('the focus is reported as gained on getting control, and as lost on detaching', () => {
  printed('text\u001b[?25;1004h');
  isControlled = false;
  focus.look();
  focus.left();
  expect(sent).toEqual([]);
  isControlled = true;
  focus.look();
  focus.look();
  expect(sent).toEqual([IN]);
  focus.left();
  expect(sent).toEqual([IN, OUT]);
});

it.each(['', '\u001b[?1004h\u001b[?1004l', '\u001b[?1004h\u001bc', '\u001b[?1004h\u001b[!p', '\u001b[1004h'])(
  'the focus is not reported to a program that does not request it: %j',
  (output) => {
    printed(output);
    focus.look();
    focus.left();
    expect(sent).toEqual([]);
  },
);

it('the focus is reported to a program whose request is split', () => {
  printed('x'.repeat(100) + '\u001b[?10');
  printed('04h');
  focus.look();
  expect(sent).toEqual([IN]);
});

it('the terminal’s own focus reports are passed on only while in control', () => {
  printed('\u001b[?1004h');
  isControlled = false;
  expect(typed(`a${OUT}b`)).toBe('ab');
  isControlled = true;
  focus.look();
  expect(sent).toEqual([]);
  expect(typed(`${IN}\u001b[A`)).toBe(`${IN}\u001b[A`);
  focus.look();
  expect(sent).toEqual([]);
  focus.left();
  expect(sent).toEqual([OUT]);
});
