// @vitest-environment happy-dom
// A person's unsent input is reported to the person; unsent replies of the terminal are not.
import { expect, it } from 'vitest';
import type { RemoteProcess, WriteOutcome } from '../../../client/exec-client.ts';
import { Typing } from './terminal-input.ts';

function start(outcome: WriteOutcome, { mayType = true, mayReport = true } = {}) {
  const hints: string[] = [];
  const sent: string[] = [];
  const typed: string[] = [];
  let refused = 0;
  const notices: string[] = [];
  const nothing = (): void => {};
  const typing = new Typing({
    process: {
      controlled: true,
      write: (bytes: Uint8Array) => {
        sent.push(new TextDecoder().decode(bytes));
        return Promise.resolve(outcome);
      },
      signal: (name: string) => {
        sent.push(name);
        return Promise.resolve();
      },
    } as unknown as RemoteProcess,
    mayType: () => mayType,
    mayReport: () => mayReport,
    refused: (keys) => (refused += keys),
    typed: (text) => typed.push(text),
    hint: (hint) => hints.push(hint),
    notify: (notice) => notices.push(notice),
    divide: nothing,
    ctrlHeld: nothing,
    withCtrl: (data) => data,
    report: nothing,
  });
  return { typing, hints, notices, sent, typed, refused: () => refused };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it.each<readonly [WriteOutcome, readonly string[]]>([
  ['accepted', []],
  ['inDoubt', []],
  ['stdinClosed', ['Not sent: the process has no stdin, or its stdin is closed']],
  ['unknownProcess', ['Not sent: the process is not running']],
])('input with the outcome %s shows the right hint', async (outcome, expectedHints) => {
  const { typing, hints, notices } = start(outcome);
  typing.data('y');
  typing.line('yes\r');
  await settled();
  expect(hints).toEqual([...expectedHints, ...expectedHints]);
  expect(notices).toHaveLength(outcome === 'inDoubt' ? 2 : 0);
});

it('an unsent reply of the terminal itself shows no hint', async () => {
  const { typing, hints } = start('stdinClosed');
  for (const answer of ['\u001b[1;1R', '\u001b[I', '\u001b[?1;2c']) typing.data(answer, false);
  await settled();
  expect(hints).toEqual([]);
});

it('keys pressed while the gateway does not respond are not sent, but counted', () => {
  const { typing, sent, refused } = start('accepted', { mayType: false });
  typing.data('y');
  typing.data('\u001b[A');
  typing.data('\u001b[57441;2u', false);
  typing.line('yes\r');
  typing.interrupt();
  typing.binary('\u001b[M !!');
  expect(sent).toEqual([]);
  expect(refused()).toBe(8);
});

it('replies of the terminal are sent while the gateway does not respond, and do not count as keys', () => {
  const silent = start('accepted', { mayType: false });
  const cut = start('accepted', { mayType: false, mayReport: false });
  for (const { typing } of [silent, cut]) {
    typing.data('\u001b[1;1R', false);
    typing.report('\u001b[O');
  }
  expect(silent.sent).toEqual(['\u001b[1;1R', '\u001b[O']);
  expect(cut.sent).toEqual([]);
  expect([silent.refused(), cut.refused()]).toEqual([0, 0]);
});

it('typed keys are reported, including those that move or erase, but replies of the terminal and unsent keys are not', () => {
  const { typing, typed } = start('accepted');
  for (const keys of ['ab', '\u001b[D', '\u001b\u007f', '\u001b[200~x\u001b[201~']) typing.data(keys);
  typing.data('\u001b[1;1R', false);
  typing.data('\u001b[57441;2u', false);
  expect(typed).toEqual(['ab', '\u001b[D', '\u001b\u007f', '\u001b[200~x\u001b[201~']);
  const cut = start('accepted', { mayType: false });
  cut.typing.data('\u001b[D');
  expect(cut.typed).toEqual([]);
});
