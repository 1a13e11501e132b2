// Drafts that duplicate a process: command, sandbox, runner, and the parts that saving them loses.
import { describe, expect, it } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import {
  argvOf,
  draftLike,
  emptyDraft,
  lostBySaving,
  runnerOf,
  whatIsMissing,
  withoutModel,
} from './draft.ts';

const retained = { restartable: true, sandbox: 'read-only; no network' } as const;

describe('A draft that duplicates a process', () => {
  it.each([
    [{ restartable: true, sandbox: 'read-only' }, 'asModel'],
    [{ restartable: true, sandbox: 'none' }, 'asModel'],
    [{ restartable: false, sandbox: 'none' }, 'none'],
    [{ restartable: false, sandbox: 'read-only' }, null],
  ])('has the right sandbox: %j, %s', (given, sandbox) =>
    expect(draftLike(processInfo(given)).sandbox).toBe(sandbox),
  );

  it.each([
    [['npm', 'test'], 'npm test', ['npm', 'test']],
    [['npm', 'test'], 'npm run e2e', ['/bin/bash', '-c', 'npm run e2e']],
    [['sh', '-c', 'make'], 'make', ['sh', '-c', 'make']],
    [['zsh', '-ic', 'make'], 'make all', ['zsh', '-ic', 'make all']],
  ])('keeps its command: %j, “%s”, %j', (argv, command, wanted) => {
    const model = processInfo({ argv });
    expect(argvOf({ ...draftLike(model), command }, '/bin/bash', model)).toEqual(wanted);
  });

  it.each([
    [undefined, 'make', '/bin/bash -lc'],
    [undefined, '', '/bin/bash -lc'],
    [['/bin/dash', '-c', 'make'], 'make', '/bin/dash -c'],
    [['/bin/dash', '-c', 'make'], 'make all', '/bin/dash -c'],
    [['/bin/dash', '-c', 'make'], '', '/bin/dash -c'],
    [['npm', 'test'], 'npm test', null],
    [['npm', 'test'], 'npm run e2e', '/bin/bash -c'],
    [['bash', '-c', 'echo $1', 'bash', 'x'], "bash -c 'echo $1' bash x", null],
  ])('names its runner: %j, “%s”, %s', (argv, command, runner) => {
    const model = argv && processInfo({ argv });
    const draft = model ? draftLike(model) : emptyDraft('/repo');
    expect(runnerOf({ ...draft, command }, '/bin/bash', model)).toBe(runner);
    expect(runnerOf({ ...draft, command, isExact: true }, '/bin/bash', model)).toBeNull();
  });

  it('cannot start before a new sandbox is chosen when its original is no longer retained', () => {
    const model = processInfo(retained);
    const draft = draftLike(model);
    expect(whatIsMissing(draft, model)).toBeNull();
    for (const [each, of] of [
      [draft, { ...model, restartable: false }],
      [draft, undefined],
      [{ ...draft, sandbox: null }, model],
    ] as const)
      expect(whatIsMissing(each, of)).toMatch(/^Choose a sandbox/);
    expect(whatIsMissing({ ...draft, sandbox: 'none' }, model)).toBeNull();
  });

  it('is saved as unsandboxed only when its original had no sandbox', () => {
    const sandboxOf = (sandbox: string) =>
      withoutModel(draftLike(processInfo({ ...retained, sandbox })), processInfo({ ...retained, sandbox }))
        .sandbox;
    expect(sandboxOf('none')).toBe('none');
    expect(sandboxOf('read-only')).toBeNull();
  });
});

describe('The runner of a draft while the gateway’s shell is unknown', () => {
  it('is the gateway’s shell for a new command, even for an empty one', () => {
    expect(runnerOf(emptyDraft('/repo'), null)).toBe('the gateway’s shell');
    expect(runnerOf({ ...emptyDraft('/repo'), command: 'make' }, null)).toBe('the gateway’s shell');
    expect(runnerOf({ ...emptyDraft('/repo'), isExact: true }, null)).toBeNull();
  });

  it('is that of the original, and null when the original has none', () => {
    const inDash = processInfo({ argv: ['/bin/dash', '-c', 'make'] });
    expect(runnerOf(draftLike(inDash), null, inDash)).toBe('/bin/dash -c');
    const plain = processInfo({ argv: ['npm', 'test'] });
    expect(runnerOf(draftLike(plain), null, plain)).toBeNull();
  });
});

describe('Saving a draft', () => {
  it('names the parts that are not saved: the environment of the original, and its sandbox if it had one', () => {
    const sandboxed = processInfo(retained);
    const free = processInfo({ ...retained, sandbox: 'none' });
    expect(lostBySaving(emptyDraft('/repo'))).toBeNull();
    expect(lostBySaving(draftLike(free), free)).toBe('The original’s environment will not be saved.');
    expect(lostBySaving(draftLike(sandboxed), sandboxed)).toMatch(
      /original’s environment and sandbox will not be saved/,
    );
    expect(lostBySaving({ ...draftLike(sandboxed), sandbox: 'readOnly' }, sandboxed)).not.toMatch(/sandbox/);
  });

  it('requires a sandbox to be chosen, and does not claim that the original is gone', () => {
    const sandboxed = processInfo(retained);
    const why = whatIsMissing(withoutModel(draftLike(sandboxed), sandboxed));
    expect(why).toMatch(/^Choose a sandbox/);
    expect(why).not.toContain('no longer retained');
  });
});
