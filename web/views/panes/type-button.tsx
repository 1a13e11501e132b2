// Button that shows whether the page or this terminal's program has the keyboard, and switches between them.
import { Keyboard } from 'lucide-react';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { mayAct } from '../../../client/connection-state.ts';
import { useStore } from 'zustand';
import { KeyCaps } from '../palette/key-caps.tsx';
import { capsOf } from '../../commands/key-bindings.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { isMac } from '../../state/page/platform.ts';
import { takesTyping } from '../../state/processes/ready-to-type.ts';

const GIVE_BACK = 'Mod+Shift+L';

export function TypeButton({ info }: { readonly info: ProcessInfo }) {
  const { terminals } = useConsole();
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  const isOnline = useStore(processStore, ({ connection }) => mayAct(connection));
  const hasKeyboard = useStore(processStore, (state) => state.terminals[info.key]?.hasKeyboard ?? false);
  if (!takesTyping(info) || isReadOnly) return null;
  return (
    <button
      type="button"
      className="type-button"
      aria-pressed={hasKeyboard}
      // The page can take the keyboard back without the gateway.
      disabled={!isOnline && !hasKeyboard}
      title={
        hasKeyboard
          ? `Keys go to the program. ${capsOf(GIVE_BACK, isMac).join('+')} returns the keyboard to the page.`
          : 'Send keys to the program in this terminal. Clicking the terminal does the same.'
      }
      // A press must not move the focus; only the click does.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ currentTarget }) => {
        if (hasKeyboard) currentTarget.closest<HTMLElement>('.pane')?.focus();
        else terminals.get(info.key)?.focus();
      }}
    >
      <Keyboard size={14} aria-hidden="true" />
      {hasKeyboard ? (
        <>
          <span>Typing</span>
          <span className="type-key">
            <KeyCaps keys={GIVE_BACK} /> stops
          </span>
        </>
      ) : (
        <>
          <span className="type-by-key">
            <KeyCaps keys="Enter" /> <span className="type-words">to type</span>
          </span>
          <span className="type-by-click">Type</span>
        </>
      )}
    </button>
  );
}
