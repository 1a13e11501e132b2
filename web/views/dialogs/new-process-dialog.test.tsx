// @vitest-environment happy-dom
// The form for a new process starts only valid commands, and explains why it rejects others.
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Online } from '../../../client/exec-client.ts';
import { ConsoleContext, type ConsoleParts } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { emptyDraft } from '../../state/starting/draft.ts';
import { savedCommands } from '../../state/starting/saved-commands.ts';
import { NewProcessDialog } from './new-process-dialog.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
// happy-dom has no popovers.
Object.assign(HTMLElement.prototype, { showPopover: vi.fn(), hidePopover: vi.fn() });

const online = {
  role: 'operator',
  environment: { shell: { path: '/bin/bash' }, cwd: 'file:///repo', userHomeDir: 'file:///root' },
} as unknown as Online;
const start = vi.fn();
const parts = {
  client: { processes: { start }, connection: { state: { kind: 'online', ...online }, request: vi.fn() } },
  terminals: {},
} as unknown as ConsoleParts;
let root: Root;

const open = (saved: string | null = null): Promise<void> =>
  act(async () => {
    root = createRoot(document.body.appendChild(document.createElement('div')));
    root.render(
      <ConsoleContext value={parts}>
        <NewProcessDialog like={null} saved={saved} onClose={() => undefined} onStarted={() => undefined} />
      </ConsoleContext>,
    );
  });
const button = (name: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find(
    (each) => (each.getAttribute('aria-label') ?? each.textContent) === name,
  );
  if (!found) throw new Error(`no button ${name}`);
  return found;
};
const shown = (): string => document.querySelector('dialog')?.textContent ?? '';

beforeEach(() => {
  processStore.setState({ connection: { kind: 'online', ...online } });
  const saved = { ...emptyDraft('/repo'), command: 'make all', sandbox: null };
  savedCommands.setState({ saved: [{ name: 'build', draft: saved }] });
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  start.mockReset();
});

it('A saved command without a sandbox is loaded into the form, which opens More and shows why it cannot start', async () => {
  await open();
  expect(shown()).not.toContain('Choose a sandbox under');
  await act(async () => button('Run build').click());
  expect(start).not.toHaveBeenCalled();
  expect(document.querySelector('textarea')?.value).toBe('make all');
  expect(document.querySelector('details')?.open).toBe(true);
  expect(button('Start').disabled).toBe(true);
  expect(shown()).toContain('Choose a sandbox under “More”');
  expect(document.querySelector('[role="alert"]')).toBeNull();
});

it('A saved command that the palette could not start fills the form when it opens', async () => {
  await open('build');
  expect(document.querySelector('textarea')?.value).toBe('make all');
  expect(document.querySelector('details')?.open).toBe(true);
  expect(button('Start').disabled).toBe(true);
});

it.each([
  ['silent', 'does not respond'],
  ['waiting', 'no connection'],
])(
  'Start is disabled with a reason while the connection is %s, and Enter starts nothing',
  async (kind, why) => {
    processStore.setState({ connection: { kind, ...online } as never });
    await open();
    expect(button('Start').disabled).toBe(true);
    expect(shown()).toContain(why);
    expect(shown()).toContain('Runs with the gateway’s shell');
    expect(shown()).not.toContain('as the original did');
    await act(async () => document.querySelector('form')?.requestSubmit());
    expect(start).not.toHaveBeenCalled();
  },
);

it('A complete saved command starts even if the form holds an incomplete one', async () => {
  start.mockReturnValue(new Promise(() => undefined));
  savedCommands.setState(({ saved }) => ({
    saved: [
      ...saved,
      { name: 'deploy', draft: { ...emptyDraft('/repo'), command: 'deploy', sandbox: 'none' } },
    ],
  }));
  await open();
  await act(async () => button('Run build').click());
  expect(start).not.toHaveBeenCalled();
  await act(async () => button('Run deploy').click());
  await expect.poll(() => start.mock.calls.length).toBe(1);
});
