// Palette: finds a command or process by a few letters; Enter runs or opens it. When choosing a process for a new
// pane, it offers only processes.
import { useEffect, useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { layoutStore, openBeside, openPane } from '../../state/layout/layout-store.ts';
import type { Side } from '../../state/layout/layout-tree.ts';
import { isWaiting, statusOf } from '../../../text/process-words.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { showPanes } from '../../state/page/page-store.ts';
import { isMac, isPhone } from '../../state/page/platform.ts';
import type { CommandContext } from '../../commands/command.ts';
import { enabledCommands } from '../../commands/commands.ts';
import { KeyCaps } from './key-caps.tsx';
import {
  MOST_OFFERED,
  offered,
  paletteItems,
  type Offered,
  type PaletteItem,
} from '../../commands/palette-search.ts';
import { recentCommands, rememberCommand } from '../../commands/recent-commands.ts';
import { Picker } from '../../parts/picker.tsx';
import { whenIdle } from '../../state/page/when-idle.ts';

/** Number of results visible without scrolling. The others are rendered when the page is idle. */
const IN_SIGHT = 15;
const REST_AT_LATEST_MS = 500;

interface CommandPaletteProps {
  readonly context: CommandContext;
  /**
   * Side of the focused pane on which the chosen process opens; null for the normal palette, which also offers
   * commands.
   */
  readonly beside: Side | null;
  readonly onClose: () => void;
}

export function CommandPalette({ context, beside, onClose }: CommandPaletteProps) {
  const picker = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  // Recent and available commands are read once, so that they do not move while a person chooses.
  const [recent] = useState(recentCommands);
  const [commands] = useState(() =>
    beside ? [] : enabledCommands(context).filter(({ id, isOnlyKeys }) => id !== 'palette' && !isOnlyKeys),
  );
  const [focused] = useState(() => layoutStore.getState().focused);
  const processes = useStore(processStore, (state) => state.processes);
  const items = useMemo(
    () =>
      paletteItems(
        commands,
        Object.values(processes).filter(({ key }) => beside === null || key !== focused),
        recent,
      ),
    [commands, processes, recent, beside, focused],
  );
  const found = useMemo(() => offered(items, typed, recent), [items, typed, recent]);
  // Processes come and go: the highlighted result stays the same; once it is gone, none is highlighted.
  const first = found[0]?.item.id ?? null;
  if (chosen === null && first !== null) setChosen(first);
  const at = found.findIndex(({ item }) => item.id === (chosen ?? first));
  const [hasRest, setHasRest] = useState(false);
  useEffect(() => whenIdle(() => setHasRest(true), REST_AT_LATEST_MS), []);
  const most = hasRest ? MOST_OFFERED : Math.max(IN_SIGHT, at + 1);

  const choose = (item: PaletteItem, side: Side | null): void => {
    // Return the focus first, since a command may move it elsewhere.
    picker.current?.hidePopover();
    onClose();
    if (item.does.kind === 'command') {
      rememberCommand(item.id);
      item.does.command.run(context);
    } else {
      if (side) openBeside(item.does.info.key, side);
      else openPane(item.does.info.key);
      showPanes();
    }
  };

  const sideOf = (event: { readonly ctrlKey: boolean; readonly metaKey: boolean }): Side | null =>
    beside ?? (hasMod(event) && !isPhone() ? 'right' : null);
  const asked = beside ? `Find a process to open ${BESIDE[beside]}` : 'Find a command or a process';
  const isProcess = found[at]?.item.does.kind === 'process';
  return (
    <Picker
      ref={picker}
      className="palette"
      label={beside ? 'Open beside' : 'Commands and processes'}
      onClose={onClose}
    >
      <input
        role="combobox"
        aria-label={asked}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] && `palette-${found[at].item.id}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={`${asked} …`}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(null);
        }}
        onKeyDown={(event) => {
          const last = found.length - 1;
          const to = {
            ArrowDown: at >= last ? 0 : at + 1,
            ArrowUp: at <= 0 ? last : at - 1,
            PageDown: Math.min(last, at + 8),
            PageUp: Math.max(0, at - 8),
          }[event.key];
          const item = found[at]?.item;
          if (to !== undefined) setChosen(found[to]?.item.id ?? null);
          else if (event.key === 'Enter' && item && !event.nativeEvent.isComposing)
            choose(item, sideOf(event));
          else return;
          event.preventDefault();
        }}
      />
      <div id="palette-list" role="listbox" aria-label="Results" className="palette-list">
        {found.slice(0, most).map(({ item, indexes }, index) => (
          <Choice
            key={item.id}
            offer={{ item, indexes }}
            isChosen={index === at}
            onPoint={() => setChosen(item.id)}
            onChoose={(event) => choose(item, sideOf(event))}
          />
        ))}
      </div>
      {found.length === 0 ? <p className="quiet">Nothing matches “{typed}”.</p> : null}
      {isProcess && beside === null && !isPhone() ? (
        <p className="palette-keys">
          <KeyCaps keys="Enter" /> to open, <KeyCaps keys="Mod+Enter" /> to open beside
        </p>
      ) : null}
    </Picker>
  );
}

const BESIDE: { readonly [side in Side]: string } = {
  left: 'to the left',
  right: 'to the right',
  above: 'above',
  below: 'below',
};

const hasMod = ({ ctrlKey, metaKey }: { readonly ctrlKey: boolean; readonly metaKey: boolean }): boolean =>
  isMac ? metaKey : ctrlKey;

interface ChoiceProps {
  readonly offer: Offered;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onChoose: (event: MouseEvent<HTMLElement>) => void;
}

function Choice({ offer: { item, indexes }, isChosen, onPoint, onChoose }: ChoiceProps) {
  const { does, text, hint, distinction } = item;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={element}
      role="option"
      id={`palette-${item.id}`}
      className={`palette-choice ${does.kind}`}
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      {does.kind === 'process' ? (
        <StatusIcon status={statusOf(does.info)} isWaiting={isWaiting(does.info)} />
      ) : null}
      <span className="palette-text">{marked(text, indexes)}</span>
      {distinction === null ? null : <span className="palette-hint">{distinction}</span>}
      <span className="palette-hint">{hint}</span>
      {does.kind === 'command' && does.command.keys?.[0] ? (
        <KeyCaps keys={does.command.keys[0].keys} />
      ) : null}
    </div>
  );
}

/** Returns text with the matched letters highlighted, adjacent ones as one piece. */
function marked(text: string, indexes: readonly number[]): ReactNode[] {
  const pieces: ReactNode[] = [];
  let from = 0;
  for (let at = 0; at < indexes.length; at += 1) {
    const start = indexes[at] ?? 0;
    let end = start + 1;
    while (indexes[at + 1] === end) {
      end += 1;
      at += 1;
    }
    pieces.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return [...pieces, text.slice(from)];
}
