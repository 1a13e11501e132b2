// Commands stored in the browser: the history has no secrets, saved commands are complete, and unreadable ones are
// dropped.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyDraft } from './draft.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

const draft = (command: string) => ({ ...emptyDraft('/repo'), command });
const history = () => import('./command-history.ts');
const saved = () => import('./saved-commands.ts');

it('the history keeps the newest 50 commands, each once, without the values of variables', async () => {
  const { commandHistory, rememberStarted } = await history();
  for (let i = 0; i < 60; i += 1) rememberStarted(draft(`echo ${i}`));
  rememberStarted({ ...draft('echo 30'), variables: 'TOKEN=hunter2\nA=1' });
  const { former } = commandHistory.getState();
  expect(former).toHaveLength(50);
  expect(former[0]).toMatchObject({ command: 'echo 30', variables: '', variableNames: ['TOKEN', 'A'] });
  expect(former.filter(({ command }) => command === 'echo 30')).toHaveLength(1);
  expect([...stored.values()].join('')).not.toContain('hunter2');
});

it('the history survives a reload, and is empty after it was cleared', async () => {
  (await history()).rememberStarted({ ...draft('make'), sandbox: 'readOnly' });
  vi.resetModules();
  const again = await history();
  expect(again.commandHistory.getState().former).toMatchObject([{ command: 'make', sandbox: 'readOnly' }]);
  again.forgetHistory();
  vi.resetModules();
  expect((await history()).commandHistory.getState().former).toEqual([]);
});

it('a saved command is stored completely, replaced in place, and deleted', async () => {
  const { deleteCommand, saveCommand, savedCommands } = await saved();
  saveCommand('tests', { ...draft('npm test'), variables: 'CI=1' });
  saveCommand('build', draft('make'));
  saveCommand('tests', { ...draft('npm run e2e'), variables: 'CI=1' });
  expect(savedCommands.getState().saved).toMatchObject([
    { name: 'tests', draft: { command: 'npm run e2e', variables: 'CI=1' } },
    { name: 'build' },
  ]);
  deleteCommand('tests');
  vi.resetModules();
  expect((await saved()).savedCommands.getState().saved.map(({ name }) => name)).toEqual(['build']);
});

it('a command is not saved when another tab has filled the list, and all of those are shown', async () => {
  const { deleteCommand, MOST_SAVED_COMMANDS, saveCommand, savedCommands } = await saved();
  const full = Array.from({ length: MOST_SAVED_COMMANDS }, (_, at) => ({
    name: `c${at}`,
    draft: draft('ls'),
  }));
  stored.set('exec-console.saved-commands', JSON.stringify(full));
  expect(saveCommand('mine', draft('make'))).toBe(false);
  expect(savedCommands.getState().saved).toEqual(full);
  expect(JSON.parse(stored.get('exec-console.saved-commands') ?? '')).toEqual(full);
  expect(saveCommand('c0', draft('make'))).toBe(true);
  deleteCommand('c1');
  expect(saveCommand('mine', draft('make'))).toBe(true);
});

it('invalid stored commands are ignored', async () => {
  stored.set(
    'exec-console.saved-commands',
    '[null,{"name":"a"},{"name":"ok","draft":{"command":"ls","cwd":"/","sandbox":"toString"}}]',
  );
  stored.set('exec-console.command-history', '{"not":"a list"}');
  expect((await saved()).savedCommands.getState().saved).toEqual([
    // An unreadable sandbox may have been a strict one, so the person must choose again.
    { name: 'ok', draft: { ...emptyDraft('/'), command: 'ls', sandbox: null } },
  ]);
  expect((await history()).commandHistory.getState().former).toEqual([]);
});
