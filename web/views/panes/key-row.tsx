// Row for touch devices: keys missing on an on-screen keyboard, and a line composed first and sent as a whole.
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, PencilLine, SendHorizontal } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { unsentText } from '../../screen/terminal/unsent-line.ts';
import { followKeyboard } from '../../screen/terminal/on-screen-keyboard.ts';
import type { ScreenKey } from '../../screen/terminal/screen-keys.ts';

const KEYS: readonly (readonly [key: ScreenKey, label: string, face: ReactNode])[] = [
  ['escape', 'Escape', 'Esc'],
  ['tab', 'Tab', 'Tab'],
  ['left', 'Left', <ArrowLeft key="left" size={16} aria-hidden="true" />],
  ['up', 'Up', <ArrowUp key="up" size={16} aria-hidden="true" />],
  ['down', 'Down', <ArrowDown key="down" size={16} aria-hidden="true" />],
  ['right', 'Right', <ArrowRight key="right" size={16} aria-hidden="true" />],
];

export function KeyRow({ processKey }: { readonly processKey: string }) {
  const { terminals } = useConsole();
  const isCtrlHeld = useStore(processStore, (state) => state.terminals[processKey]?.isCtrlHeld ?? false);
  const isOnline = useStore(processStore, (state) => state.connection.kind === 'online');
  const [isComposing, compose] = useState(false);
  useEffect(followKeyboard, []);
  const input = () => terminals.get(processKey)?.input;
  return (
    // A press must not move the focus out of the terminal, which would close the on-screen keyboard.
    <div className="key-row-place">
      {isComposing ? <ComposeLine processKey={processKey} onDone={() => compose(false)} /> : null}
      <div
        className="key-row"
        role="toolbar"
        aria-label="Keys"
        onPointerDown={(event) => event.preventDefault()}
      >
        {KEYS.slice(0, 2).map(([key, label, face]) => (
          <Key key={key} label={label} isDisabled={!isOnline} onPress={() => input()?.press(key)}>
            {face}
          </Key>
        ))}
        <Key
          label="Hold Ctrl for the next key"
          isPressed={isCtrlHeld}
          isDisabled={!isOnline}
          onPress={() => input()?.holdCtrl(!isCtrlHeld)}
        >
          Ctrl
        </Key>
        <Key label="Control C" isDisabled={!isOnline} onPress={() => input()?.pressInterrupt()}>
          ^C
        </Key>
        {KEYS.slice(2).map(([key, label, face]) => (
          <Key key={key} label={label} isDisabled={!isOnline} onPress={() => input()?.press(key)}>
            {face}
          </Key>
        ))}
        <Key label="Send a line" isPressed={isComposing} onPress={() => compose(!isComposing)}>
          <PencilLine size={16} aria-hidden="true" />
        </Key>
      </div>
    </div>
  );
}

interface KeyProps {
  readonly label: string;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Key({ label, isPressed, isDisabled = false, onPress, children }: KeyProps) {
  return (
    <button
      type="button"
      className="screen-key"
      aria-label={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

interface ComposeLineProps {
  readonly processKey: string;
  readonly onDone: () => void;
}

/** Line that supports autocorrection and input methods; the program receives the finished text in one write. */
function ComposeLine({ processKey, onDone }: ComposeLineProps) {
  const { terminals } = useConsole();
  const connection = useStore(processStore, (state) => state.connection.kind);
  const [line, setLine] = useState('');
  const [hasEnter, setEnter] = useState(true);
  return (
    <form
      className="compose-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (connection !== 'online') return terminals.get(processKey)?.report(unsentText(connection));
        terminals.get(processKey)?.input.typeLine(line, hasEnter);
        setLine('');
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone();
      }}
    >
      <textarea
        aria-label="Send a line"
        placeholder="Send a line …"
        enterKeyHint="send"
        rows={Math.min(4, line.split('\n').length)}
        value={line}
        autoFocus
        onChange={(event) => setLine(event.target.value)}
        onKeyDown={(event) => {
          // Shift+Enter inserts a new line; Enter during composition accepts the input method's suggestion.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (!event.repeat) event.currentTarget.form?.requestSubmit();
        }}
      />
      <label className="compose-enter">
        <input type="checkbox" checked={hasEnter} onChange={(event) => setEnter(event.target.checked)} />
        End with Enter
      </label>
      <button type="submit" className="primary" aria-label="Send" disabled={connection !== 'online'}>
        <SendHorizontal size={16} aria-hidden="true" />
      </button>
    </form>
  );
}
