// What can be done with a pane and its process, from the same table as everything else.
import { Ellipsis } from 'lucide-react';
import { useId, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { useConsole } from '../console-context.tsx';
import { focusPane, goToPane } from '../layout/layout-store.ts';
import { contextNow, MENU_PARTS, type Command, type CommandContext } from './command.ts';
import { enabledCommands } from './commands.ts';
import { KeyCaps } from './key-caps.tsx';

interface Opened {
  readonly context: CommandContext;
  readonly commands: readonly Command[];
  readonly place: CSSProperties;
}

export function PaneMenu({ processKey }: { readonly processKey: string }) {
  const console = useConsole();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Opened | null>(null);

  function open(): void {
    focusPane(processKey);
    const context = { ...contextNow(console), subject: processKey, isInList: false, isOnRow: false };
    const commands = enabledCommands(context).filter(({ menu: part }) => part !== undefined);
    setOpened({ context, commands, place: placeBelow(button.current) });
  }

  function choose(command: Command): void {
    menu.current?.hidePopover();
    // What is done is done in the pane, and so one goes on there.
    goToPane(processKey);
    if (opened) command.run(opened.context);
  }

  const parts = MENU_PARTS.filter((part) => opened?.commands.some((command) => command.menu === part));
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label="More"
        title="More"
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        popoverTarget={id}
      >
        <Ellipsis size={15} aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label="More"
        className="pane-menu"
        style={opened?.place}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') open();
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
          else setOpened(null);
        }}
        onKeyDown={moveByKeys}
        onDragStart={(event) => {
          // It is no part of the pane's header, which can be dragged.
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {parts.map((part) => (
          <div key={part} role="group" aria-label={part} className="pane-menu-group">
            {opened?.commands
              .filter((command) => command.menu === part)
              .map((command) => (
                <button
                  key={command.id}
                  type="button"
                  role="menuitem"
                  tabIndex={-1}
                  onClick={() => choose(command)}
                >
                  <span>{command.title}</span>
                  {command.keys?.[0]?.scope === 'terminal' ? <KeyCaps keys={command.keys[0].keys} /> : null}
                </button>
              ))}
          </div>
        ))}
      </div>
    </>
  );
}

const GAP_PX = 4;

/** At its right edge; as high as there is room for. */
function placeBelow(button: HTMLElement | null): CSSProperties {
  const { bottom = 0, right = 0, top = 0 } = button?.getBoundingClientRect() ?? {};
  const isLow = bottom > window.innerHeight / 2;
  return {
    ...(isLow ? { bottom: window.innerHeight - top + GAP_PX } : { top: bottom + GAP_PX }),
    right: Math.max(GAP_PX, document.documentElement.clientWidth - right),
    maxHeight: (isLow ? top : window.innerHeight - bottom) - 3 * GAP_PX,
  };
}

function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const last = items.length - 1;
  const to = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  }[event.key];
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  if (to === undefined) return;
  event.preventDefault();
  items[to]?.focus();
}
