// @vitest-environment happy-dom
// Commands that need the gateway are disabled, like their buttons, while it is unreachable.
import { beforeEach, expect, it } from 'vitest';
import { openDialog, pageStore } from '../state/page/page-store.ts';
import { processStore } from '../state/processes/process-store.ts';
import { emptyDraft } from '../state/starting/draft.ts';
import { savedCommands } from '../state/starting/saved-commands.ts';
import { toggleBusiest } from '../state/processes/list-order.ts';
import { LIST_COMMANDS, PAGE_COMMANDS } from './page-commands.ts';
import { savedCommandCommands } from './saved-command-commands.ts';

type Context = Parameters<(typeof PAGE_COMMANDS)[number]['run']>[0];
const context = {} as Context;
const command = () => PAGE_COMMANDS.find(({ id }) => id === 'newProcess');
const connect = (connection: object): void => processStore.setState({ connection: connection as never });

beforeEach(() => {
  openDialog('help');
  const draft = { ...emptyDraft('/repo'), command: 'make', sandbox: null };
  savedCommands.setState({ saved: [{ name: 'build', draft }] });
});

it.each([
  [{ kind: 'silent', role: 'operator' }, 'does not respond'],
  [{ kind: 'waiting' }, 'no connection'],
])('New process is disabled while the connection is %j, and its key explains why', (connection, why) => {
  connect(connection);
  expect(command()?.when(context)).toBe(false);
  expect(command()?.whyNot?.(context)).toContain(why);
  expect(savedCommandCommands().map((each) => each.when(context))).toEqual([false]);
});

it.each([
  [{ kind: 'silent', role: 'operator' }, 'does not respond: CPU and memory are unknown'],
  [{ kind: 'waiting' }, 'no connection'],
])(
  'Busiest first is disabled while the connection is %j and its key explains why, but Group by agent stays enabled',
  (connection, why) => {
    connect(connection);
    const [busiest, back] = ['busiestFirst', 'byAgent'].map((id) =>
      LIST_COMMANDS.find((each) => each.id === id),
    );
    expect(busiest?.when(context)).toBe(false);
    expect(busiest?.whyNot?.(context)).toContain(why);
    toggleBusiest();
    expect(back?.when(context)).toBe(true);
    expect(busiest?.whyNot?.(context)).toBeNull();
    toggleBusiest();
  },
);

it('A saved command without a sandbox opens the form', () => {
  connect({ kind: 'online', role: 'operator' });
  const [run] = savedCommandCommands();
  expect(run?.when(context)).toBe(true);
  run?.run(context);
  expect(pageStore.getState()).toMatchObject({ dialog: 'newProcess', saved: 'build' });
  openDialog('newProcess');
  expect(pageStore.getState().saved).toBeNull();
});
