// Field for a folder on the gateway's machine, which suggests folders while the person types.
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { fileUri } from '../../../client/start-params.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { visible } from '../../../text/visible.ts';
import { foldersFor, typedPath } from '../../state/starting/folder-completion.ts';

/** Pause in typing before folders are requested. */
const ASK_AFTER_MS = 120;
const LIST = 'new-cwd-folders';

interface Found {
  readonly folders: readonly string[];
  readonly place: CSSProperties;
}

const NOTHING: Found = { folders: [], place: {} };

interface FolderFieldProps {
  readonly id: string;
  readonly value: string;
  /** Home folder of the gateway's user. */
  readonly home: string;
  readonly onChange: (path: string) => void;
}

export function FolderField({ id, value, home, onChange }: FolderFieldProps) {
  const { client } = useConsole();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  /** Path to complete; null while no suggestions are wanted. */
  const [asked, ask] = useState<string | null>(null);
  const [found, setFound] = useState<Found>(NOTHING);
  const [at, setAt] = useState(-1);
  const folders = asked === null ? NOTHING.folders : found.folders;
  const isOpen = folders.length > 0;

  useEffect(() => {
    if (asked === null) return;
    let isOver = false;
    const report = (folders: readonly string[]): void => {
      if (isOver) return;
      setFound({ folders, place: placeUnder(field.current) });
      setAt(-1);
    };
    const timer = setTimeout(() => {
      const typed = typedPath(asked, home);
      if (!typed) return report([]);
      client.connection.request('fs/readDirectory', { path: fileUri(typed.folder) }).then(
        ({ entries }) => report(foldersFor(typed, entries)),
        // An unreadable folder has no suggestions; the start reports whether it exists.
        () => report([]),
      );
    }, ASK_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [asked, home, client]);

  useEffect(() => {
    if (isOpen) list.current?.showPopover();
    else list.current?.hidePopover();
  }, [isOpen]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const close = (): void => {
    ask(null);
    setFound(NOTHING);
    setAt(-1);
  };
  const take = (path: string): void => {
    const next = `${path}/`;
    onChange(next);
    // Suggest the folders inside the chosen one next.
    ask(next);
    setFound(NOTHING);
    setAt(-1);
  };

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const chosen = folders[at];
    const handled = (): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        handled();
        const by = event.key === 'ArrowDown' ? 1 : -1;
        // The field itself counts as one more position.
        if (isOpen) setAt(((at + 1 + by + folders.length + 1) % (folders.length + 1)) - 1);
        else ask(value);
        return;
      }
      case 'Enter':
        if (chosen === undefined) return close();
        handled();
        return take(chosen);
      case 'Tab':
        if (chosen !== undefined) onChange(chosen);
        return close();
      case 'Escape':
        // Escape closes the list first; only the next press closes the dialog.
        if (isOpen) handled();
        return close();
    }
  }

  return (
    <>
      <input
        ref={field}
        id={id}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={LIST}
        aria-activedescendant={at === -1 ? undefined : `${LIST}-${at}`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          ask(event.target.value);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <ul
        ref={list}
        id={LIST}
        role="listbox"
        aria-label="Folders"
        popover="manual"
        className="menu folder-list"
        style={found.place}
        // A press must not move the focus out of the field, which would close the list.
        onPointerDown={(event) => event.preventDefault()}
      >
        {folders.map((path, index) => (
          <li
            key={path}
            id={`${LIST}-${index}`}
            role="option"
            aria-selected={index === at}
            className="menu-item"
            onClick={() => take(path)}
          >
            {visible(path.slice(path.lastIndexOf('/') + 1))}/
          </li>
        ))}
      </ul>
    </>
  );
}

const GAP_PX = 4;
const HIGHEST_PX = 240;

/** Returns the position of the list: below the field, or above it if there is too little room below and more above. */
function placeUnder(field: HTMLElement | null): CSSProperties {
  const { top = 0, bottom = 0, left = 0, width = 0 } = field?.getBoundingClientRect() ?? {};
  const height = window.visualViewport?.height ?? window.innerHeight;
  const below = height - bottom;
  const isAbove = below < HIGHEST_PX && top > below;
  return {
    left,
    width,
    maxHeight: Math.min(HIGHEST_PX, (isAbove ? top : below) - 3 * GAP_PX),
    ...(isAbove ? { bottom: window.innerHeight - top + GAP_PX } : { top: bottom + GAP_PX }),
  };
}
