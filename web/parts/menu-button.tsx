// Button with a menu in the top layer; arrow keys navigate, Escape or a click outside closes it.
import type { LucideIcon } from 'lucide-react';
import { useId, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react';
import { placeBy } from './place-popover.ts';

export interface MenuItem {
  readonly id: string;
  readonly content: ReactNode;
  /** True for the selected item of a section in which one item is selected, false for its other items. */
  readonly isCurrent?: boolean;
  /** True while the option that the item toggles is on; absent for items that toggle nothing. */
  readonly isOn?: boolean | undefined;
  readonly onChoose: () => void;
}

export interface MenuPart {
  readonly name: string;
  readonly items: readonly MenuItem[];
}

interface MenuButtonProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly tabIndex?: 0 | -1;
  /** Menu sections, read when the menu opens and unchanged until it closes. */
  readonly partsNow: () => readonly MenuPart[];
}

interface Opened {
  readonly parts: readonly MenuPart[];
  readonly place: CSSProperties;
}

export function MenuButton({ icon: Icon, label, tabIndex, partsNow }: MenuButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        tabIndex={tabIndex}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        popoverTarget={id}
      >
        <Icon size={15} aria-hidden="true" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        style={opened?.place}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') setOpened({ parts: partsNow(), place: placeBy(button.current, WIDTH_PX) });
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') menu.current?.querySelector<HTMLElement>(FIRST)?.focus();
          else setOpened(null);
        }}
        onKeyDown={moveByKeys}
        onDragStart={(event) => {
          // A drag that begins in the menu must not drag the surrounding element.
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {opened?.parts.map((part) => (
          <div key={part.name} role="group" aria-label={part.name} className="menu-part">
            {part.items.map((item) => (
              <button
                key={item.id}
                type="button"
                role={roleOf(item)}
                aria-checked={item.isCurrent ?? item.isOn}
                className="menu-item"
                // Focusable items allow keys to scroll a menu that is too tall for its space.
                tabIndex={0}
                onClick={() => {
                  menu.current?.hidePopover();
                  item.onChoose();
                }}
              >
                {item.content}
              </button>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

const CHOSEN = '[role="menuitemradio"][aria-checked="true"]';
/** Item focused first: the selected one, otherwise the first. */
const FIRST = `${CHOSEN}, .menu:not(:has(${CHOSEN})) .menu-item`;
/** Minimum width of a menu in px, as in the style sheet. */
const WIDTH_PX = 260;

function roleOf({ isCurrent, isOn }: MenuItem): 'menuitem' | 'menuitemradio' | 'menuitemcheckbox' {
  if (isCurrent !== undefined) return 'menuitemradio';
  return isOn === undefined ? 'menuitem' : 'menuitemcheckbox';
}

function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu-item')];
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
