// What is said of what was typed: that it went nowhere, to a person; to a program's questions nothing.
import { expect, it } from 'vitest';
import type { RemoteProcess, WriteOutcome } from '../../../client/exec-client.ts';
import { Typing } from './typing.ts';

function start(outcome: WriteOutcome) {
  const hints: string[] = [];
  const notices: string[] = [];
  const nothing = (): void => {};
  const typing = new Typing({
    process: { controlled: true, write: () => Promise.resolve(outcome) } as unknown as RemoteProcess,
    mayType: () => true,
    refused: nothing,
    typed: nothing,
    hint: (hint) => hints.push(hint),
    notify: (notice) => notices.push(notice),
    divide: nothing,
    ctrlHeld: nothing,
    withCtrl: (data) => data,
    report: nothing,
  });
  return { typing, hints, notices };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it.each<readonly [WriteOutcome, readonly string[]]>([
  ['accepted', []],
  ['inDoubt', []],
  ['stdinClosed', ['Not typed: the process has no stdin, or it is closed']],
  ['unknownProcess', ['Not typed: the process does not run']],
])('of what was %s', async (outcome, said) => {
  const { typing, hints, notices } = start(outcome);
  typing.data('y');
  typing.line('yes\r');
  await settled();
  expect(hints).toEqual([...said, ...said]);
  expect(notices).toHaveLength(outcome === 'inDoubt' ? 2 : 0);
});

it('says nothing of what the terminal itself answers', async () => {
  const { typing, hints } = start('stdinClosed');
  for (const answer of ['\u001b[1;1R', '\u001b[I', '\u001b[?1;2c']) typing.data(answer);
  await settled();
  expect(hints).toEqual([]);
});
