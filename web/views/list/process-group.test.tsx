// @vitest-environment happy-dom
// Headings of the list: counts by importance, and facts that they leave to the rows below.
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { ConsoleContext, type ConsoleParts } from '../../parts/console-context.tsx';
import type { ProcessGroup } from '../../state/processes/process-groups.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { GroupRow, NoThreadRow, ThreadRow } from './process-group.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const row = { role: 'row', tabIndex: -1, style: {} } as never;
let root: Root;

async function textOf(content: ReactNode): Promise<string> {
  const element = document.createElement('div');
  root = createRoot(element);
  await act(async () => root.render(<ConsoleContext value={{} as ConsoleParts}>{content}</ConsoleContext>));
  return element.textContent;
}

afterEach(() => act(async () => root.unmount()));

it('A group counts waiting processes first, and the total last', async () => {
  processStore.setState({ connection: { kind: 'online' } as never });
  const thread = { thread: null, keys: ['a'] };
  const group = {
    id: 'g',
    title: 'codex',
    session: null,
    sessions: [],
    running: 3,
    waiting: 1,
    failed: 2,
    total: 9,
    threads: [thread],
    rows: { running: [thread], finished: [], older: [] },
  } as unknown as ProcessGroup;
  const text = await textOf(
    <GroupRow group={group} isCollapsed={false} row={row} onTurn={() => undefined} />,
  );
  expect(text).toContain('1 waiting · 3 running · 2 failed · 9 total');
});

it('A thread is named by its first command, even when it has no other', async () => {
  const inThread = (key: string) =>
    processInfo({ key, argv: ['npm', 'test'], metadata: { threadId: 't' }, session: 's1' });
  processStore.setState({ processes: { a: inThread('a'), b: inThread('b') } });
  const heading = (keys: readonly string[]) =>
    textOf(<ThreadRow parent={null} thread="t" keys={keys} row={row} onOnly={() => undefined} />);
  expect(await heading(['a'])).toMatch(/^npm test · \d\d:\d\d · 1 process$/);
  expect(await heading(['a', 'b'])).toMatch(/^npm test · \d\d:\d\d · 2 processes$/);
});

it('A heading for processes without a thread names them as such, and offers no action on a thread', async () => {
  expect(await textOf(<NoThreadRow count={6} row={row} />)).toBe('No thread · 6 processes');
});
