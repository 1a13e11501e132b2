// Saved commands above the form: a click starts one; its menu edits or deletes it.
import { Ellipsis, Play } from 'lucide-react';
import { useStore } from 'zustand';
import { MenuButton } from '../../parts/menu-button.tsx';
import { visible } from '../../../text/visible.ts';
import { deleteCommand, savedCommands, type SavedCommand } from '../../state/starting/saved-commands.ts';

interface SavedRowProps {
  readonly onStart: (saved: SavedCommand) => void;
  readonly onEdit: (saved: SavedCommand) => void;
}

export function SavedRow({ onStart, onEdit }: SavedRowProps) {
  const saved = useStore(savedCommands, (state) => state.saved);
  if (saved.length === 0) return null;
  return (
    <ul className="saved-row" aria-label="Saved commands">
      {saved.map((each) => (
        <li key={each.name} className="saved-command">
          <button
            type="button"
            aria-label={`Run ${visible(each.name)}`}
            title={`${visible(each.draft.command)}\n${visible(each.draft.cwd)}`}
            onClick={() => onStart(each)}
          >
            <Play size={12} aria-hidden="true" />
            <span>{visible(each.name)}</span>
          </button>
          <MenuButton
            icon={Ellipsis}
            label={`Edit or delete ${visible(each.name)}`}
            partsNow={() => [
              {
                name: each.name,
                items: [
                  { id: 'edit', content: 'Edit', onChoose: () => onEdit(each) },
                  { id: 'delete', content: 'Delete', onChoose: () => deleteCommand(each.name) },
                ],
              },
            ]}
          />
        </li>
      ))}
    </ul>
  );
}
