// @vitest-environment happy-dom
// A button that changes something on the gateway is disabled while the gateway is unreachable.
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { ConsoleContext, type ConsoleParts } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { NewToken } from './new-token.tsx';
import { RevokeButton } from './revoke-button.tsx';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const place = document.createElement('div');
document.body.append(place);
const root = createRoot(place);
const connect = (kind: string): Promise<void> =>
  act(async () => processStore.setState({ connection: { kind, role: 'admin' } as never }));
const states = (): readonly (readonly [string | null, boolean])[] =>
  [...place.querySelectorAll('button')].map((button) => [button.textContent, button.disabled]);

it.each(['silent', 'waiting'])(
  'the buttons that create or revoke are disabled while the connection is %s',
  async (kind) => {
    await connect('online');
    const revoke = vi.fn();
    const parts = { client: {} } as unknown as ConsoleParts;
    await act(async () =>
      root.render(
        <ConsoleContext value={parts}>
          <RevokeButton key={kind} question="End it?" act="Revoke" what="the link" onRevoke={revoke} />
          <NewToken key={`new ${kind}`} onMade={() => undefined} onDone={() => undefined} />
        </ConsoleContext>,
      ),
    );
    await act(async () => place.querySelector('button')?.click());
    expect(states()).toContainEqual(['Revoke', false]);
    await connect(kind);
    expect(states()).toEqual([
      ['Revoke', true],
      ['Cancel', false],
      ['Cancel', false],
      ['Create token', true],
    ]);
    await act(async () => place.querySelector('button')?.click());
    expect(revoke).not.toHaveBeenCalled();
    expect(place.querySelector('button')?.title).toContain('nothing can be changed');
  },
);
