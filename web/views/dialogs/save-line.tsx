// Field for a name under which the form's contents are saved, to be started with one click.
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Draft } from '../../state/starting/draft.ts';
import {
  LONGEST_COMMAND_NAME,
  MOST_SAVED_COMMANDS,
  saveCommand,
  savedCommands,
} from '../../state/starting/saved-commands.ts';
import { variableNames } from '../../state/starting/variables.ts';

const scrollIntoSight = (line: HTMLElement | null): void => line?.scrollIntoView({ block: 'nearest' });

interface SaveLineProps {
  readonly draft: Draft;
  /** Suggested name: that of the saved command in the form; empty for a new command. */
  readonly name: string;
  /** Note about the parts that are not saved; null when everything is saved. */
  readonly lost: string | null;
  readonly onDone: (name: string | null) => void;
}

export function SaveLine({ draft, name: before, lost, onDone }: SaveLineProps) {
  const saved = useStore(savedCommands, (state) => state.saved);
  const [text, setText] = useState(before);
  const name = text.trim();
  const isThere = saved.some((each) => each.name === name);
  const isFull = !isThere && saved.length >= MOST_SAVED_COMMANDS;
  const mayBeSaved = name !== '' && draft.command.trim() !== '' && !isFull;
  const save = (): void => {
    if (!mayBeSaved) return;
    if (saveCommand(name, draft)) onDone(name);
  };
  const names = variableNames(draft.variables);
  return (
    // Focusing scrolls only the field into view, so the whole line is scrolled here.
    <div ref={scrollIntoSight} className="field save-line">
      <label htmlFor="new-saved-name">Save as</label>
      <div className="save-line-row">
        <input
          id="new-saved-name"
          className="plain"
          autoFocus
          autoComplete="off"
          maxLength={LONGEST_COMMAND_NAME}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.preventDefault();
              event.stopPropagation();
              onDone(null);
            }
            if (event.key !== 'Enter') return;
            event.preventDefault();
            save();
          }}
        />
        <button type="button" className="secondary" disabled={!mayBeSaved} onClick={save}>
          {isThere ? 'Replace' : 'Save'}
        </button>
      </div>
      {lost === null ? null : <p className="hint field-warning">{lost}</p>}
      <p className="hint">
        {names.length > 0
          ? `The command will be saved in this browser, with the values of ${names.join(', ')}: anyone who uses this browser can read them.`
          : 'The command will be saved in this browser.'}
        {isFull ? ` At most ${MOST_SAVED_COMMANDS} commands can be saved: delete one first.` : ''}
      </p>
    </div>
  );
}
