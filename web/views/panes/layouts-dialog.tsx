// Saved layouts: save the open panes, restore, rename, delete.
import { visible } from '../../../text/visible.ts';
import { Check, PanelsTopLeft, Pencil, Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import { processStore } from '../../state/processes/process-store.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { layoutStore } from '../../state/layout/layout-store.ts';
import { groupsOf, keysOf } from '../../state/layout/layout-tree.ts';
import { loadLayout } from '../../state/layout/load-layout.ts';
import {
  deleteLayout,
  LONGEST_NAME,
  MOST_SAVED,
  renameLayout,
  savedLayouts,
  saveLayout,
  type SavedLayout,
} from '../../state/layout/saved-layouts.ts';
import { CloseForm, useModal } from '../../parts/modal.tsx';
import { countedText } from '../../../text/amounts.ts';

export function LayoutsDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useModal();
  const { saved } = useStore(savedLayouts);
  const layout = useStore(layoutStore, (state) => state.layout);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const given = name.trim();
  const isThere = saved.some((each) => each.name === given);
  const isFull = saved.length >= MOST_SAVED && !isThere;

  function save(event: FormEvent): void {
    event.preventDefault();
    if (!layout || given === '' || isFull) return;
    if (saveLayout(given, layout, processStore.getState().processes)) setName('');
  }

  function load(chosen: SavedLayout): void {
    // Close the dialog first: closing returns the focus, and loading the layout then moves the focus to a pane.
    dialog.current?.close();
    onClose();
    loadLayout(chosen);
  }

  return (
    <dialog ref={dialog} className="dialog layouts" aria-labelledby="layouts-title" onClose={onClose}>
      <h2 id="layouts-title">Layouts</h2>
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      <form className="layouts-save" onSubmit={save}>
        <div className="field">
          <label htmlFor="layout-name">Save the open panes as</label>
          <input
            id="layout-name"
            autoComplete="off"
            maxLength={LONGEST_NAME}
            placeholder="Layout name"
            disabled={!layout}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <button type="submit" className="primary" disabled={!layout || given === '' || isFull}>
          {isThere ? 'Replace' : 'Save'}
        </button>
      </form>
      {!layout ? <p className="hint">No pane is open.</p> : null}
      {isFull ? <p className="hint">You already have {MOST_SAVED} layouts: delete or replace one.</p> : null}
      {saved.length === 0 ? (
        <p className="hint">
          A layout remembers your open panes. A restarted process is recognized by its command and folder.
        </p>
      ) : (
        <ul className="layouts-list" aria-label="Saved layouts">
          {saved.map((each) => (
            <SavedRow
              key={each.name}
              saved={each}
              onLoad={() => load(each)}
              onRename={(to) => {
                const isTaken = saved.some(({ name: other }) => other === to && other !== each.name);
                setProblem(isTaken ? `A layout named “${to}” already exists.` : null);
                if (!isTaken) renameLayout(each.name, to);
              }}
            />
          ))}
        </ul>
      )}
      <CloseForm />
    </dialog>
  );
}

interface SavedRowProps {
  readonly saved: SavedLayout;
  readonly onLoad: () => void;
  readonly onRename: (to: string) => void;
}

function SavedRow({ saved: { name, layout }, onLoad, onRename }: SavedRowProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const shown = visible(name);
  const count = keysOf(layout).length;
  const panes = groupsOf(layout).length;
  const hint = `${countedText(count, 'process', 'processes')}${panes > 1 ? ` in ${panes} panes` : ''}`;
  if (draft !== null) {
    return (
      <li>
        <form
          className="layouts-rename"
          onSubmit={(event) => {
            event.preventDefault();
            if (draft.trim() !== '') onRename(draft.trim());
            setDraft(null);
          }}
        >
          <input
            autoFocus
            aria-label={`New name for ${shown}`}
            maxLength={LONGEST_NAME}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              // Escape ends the renaming, not the dialog.
              event.preventDefault();
              setDraft(null);
            }}
          />
          <button type="submit" className="icon-button" aria-label="Rename" title="Rename">
            <Check size={15} aria-hidden="true" />
          </button>
        </form>
      </li>
    );
  }
  return (
    <li>
      <button type="button" className="menu-item layouts-load" aria-label={`Load ${shown}`} onClick={onLoad}>
        <PanelsTopLeft size={15} aria-hidden="true" />
        <span className="layouts-name">{shown}</span>
        <span className="layouts-hint">{hint}</span>
      </button>
      <IconButton icon={Pencil} label={`Rename ${shown}`} onClick={() => setDraft(name)} />
      <IconButton icon={Trash2} label={`Delete ${shown}`} kind="danger" onClick={() => deleteLayout(name)} />
    </li>
  );
}
