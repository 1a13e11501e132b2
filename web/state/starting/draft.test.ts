// A process started like another one: the same command, with at least as strict a sandbox.
import { describe, expect, it } from 'vitest';
import { processInfo } from '../../testing/process-info.ts';
import {
  argvOf,
  draftLike,
  emptyDraft,
  lostBySaving,
  runnerOf,
  whatIsMissing,
  withoutModel,
} from './draft.ts';

const kept = { restartable: true, sandbox: 'read-only; no network' } as const;

describe('a draft like a process', () => {
  it.each([
    [{ restartable: true, sandbox: 'read-only' }, 'asModel'],
    [{ restartable: true, sandbox: 'none' }, 'asModel'],
    [{ restartable: false, sandbox: 'none' }, 'none'],
    [{ restartable: false, sandbox: 'read-only' }, null],
  ])('of %j has the sandbox %s', (given, sandbox) =>
    expect(draftLike(processInfo(given)).sandbox).toBe(sandbox),
  );

  it.each([
    [['npm', 'test'], 'npm test', ['npm', 'test']],
    [['npm', 'test'], 'npm run e2e', ['/bin/bash', '-c', 'npm run e2e']],
    [['sh', '-c', 'make'], 'make', ['sh', '-c', 'make']],
    [['zsh', '-ic', 'make'], 'make all', ['zsh', '-ic', 'make all']],
  ])('of %j is run for “%s” as %j', (argv, command, wanted) => {
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
  ])('of %j says of “%s” that %s runs it', (argv, command, runner) => {
    const model = argv && processInfo({ argv });
    const draft = model ? draftLike(model) : emptyDraft('/repo');
    expect(runnerOf({ ...draft, command }, '/bin/bash', model)).toBe(runner);
    expect(runnerOf({ ...draft, command, isExact: true }, '/bin/bash', model)).toBeNull();
  });

  it('is not started before a sandbox is chosen that is not kept any more', () => {
    const model = processInfo(kept);
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

  it('is kept for later without a sandbox only where its model had none', () => {
    const sandboxOf = (sandbox: string) =>
      withoutModel(draftLike(processInfo({ ...kept, sandbox })), processInfo({ ...kept, sandbox })).sandbox;
    expect(sandboxOf('none')).toBe('none');
    expect(sandboxOf('read-only')).toBeNull();
  });
});

describe('the runner of a draft, while the gateway’s shell is not known,', () => {
  it('is that shell for a new command, also for one that is still empty', () => {
    expect(runnerOf(emptyDraft('/repo'), null)).toBe('the gateway’s shell');
    expect(runnerOf({ ...emptyDraft('/repo'), command: 'make' }, null)).toBe('the gateway’s shell');
    expect(runnerOf({ ...emptyDraft('/repo'), isExact: true }, null)).toBeNull();
  });

  it('is still that of a model which has its own, and none for a model without', () => {
    const inDash = processInfo({ argv: ['/bin/dash', '-c', 'make'] });
    expect(runnerOf(draftLike(inDash), null, inDash)).toBe('/bin/dash -c');
    const plain = processInfo({ argv: ['npm', 'test'] });
    expect(runnerOf(draftLike(plain), null, plain)).toBeNull();
  });
});

describe('saving a draft', () => {
  it('names what is not saved: the environment of the original, and its sandbox where it had one', () => {
    const sandboxed = processInfo(kept);
    const free = processInfo({ ...kept, sandbox: 'none' });
    expect(lostBySaving(emptyDraft('/repo'))).toBeNull();
    expect(lostBySaving(draftLike(free), free)).toBe('Not saved: the environment of the original.');
    expect(lostBySaving(draftLike(sandboxed), sandboxed)).toMatch(
      /environment of the original, and its sandbox/,
    );
    expect(lostBySaving({ ...draftLike(sandboxed), sandbox: 'readOnly' }, sandboxed)).not.toMatch(/sandbox/);
  });

  it('leaves a sandbox to choose, and does not claim that its original is gone', () => {
    const sandboxed = processInfo(kept);
    const why = whatIsMissing(withoutModel(draftLike(sandboxed), sandboxed));
    expect(why).toMatch(/^Choose a sandbox/);
    expect(why).not.toContain('not kept any more');
  });
});
