// Field for the command to start; arrow keys in the empty field, or a menu, fill in recently used commands.
import { History } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { MenuButton, type MenuPart } from '../../parts/menu-button.tsx';
import { visible } from '../../../text/visible.ts';
import { commandHistory, forgetHistory, type FormerCommand } from '../../state/starting/command-history.ts';
import type { Draft } from '../../state/starting/draft.ts';

interface CommandFieldProps {
  readonly draft: Draft;
  readonly hint: string;
  readonly onChange: (command: string) => void;
  readonly onFormer: (former: FormerCommand) => void;
}

export function CommandField({ draft, hint, onChange, onFormer }: CommandFieldProps) {
  const former = useStore(commandHistory, (state) => state.former);
  const field = useRef<HTMLTextAreaElement>(null);
  /** Index in the history of the command that the last arrow key filled in; -1 when there is none. */
  const back = useRef(-1);

  /**
   * True when the field still contains the command that the last step filled in or, before the first step, nothing.
   */
  const isWalking = (): boolean => draft.command === (former[back.current]?.command ?? '');
  function walk(by: 1 | -1): boolean {
    if (!isWalking()) {
      back.current = -1;
      if (draft.command !== '') return false;
    }
    const to = back.current + by;
    const found = former[to];
    if (to >= former.length || to < -1) return false;
    back.current = to;
    if (found) onFormer(found);
    else onChange('');
    return true;
  }
  const parts = (): readonly MenuPart[] => [
    {
      name: 'Recently used',
      items: former.map((each, index) => ({
        id: String(index),
        content: (
          <>
            <code className="history-command">{visible(each.command)}</code>
            <span className="history-folder">{visible(each.cwd)}</span>
          </>
        ),
        onChoose: () => {
          onFormer(each);
          field.current?.focus();
        },
      })),
    },
    {
      name: 'List',
      items: [{ id: 'forget', content: 'Clear this list', onChoose: forgetHistory }],
    },
  ];

  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor="new-command">Command</label>
        {former.length > 0 ? <MenuButton icon={History} label="Recently used" partsNow={parts} /> : null}
      </div>
      <textarea
        ref={field}
        id="new-command"
        data-begin-here
        rows={draft.isExact ? 4 : Math.min(6, Math.max(2, draft.command.split('\n').length))}
        spellCheck={false}
        autoCapitalize="off"
        required
        placeholder={draft.isExact ? 'One argument per line' : 'npm test'}
        value={draft.command}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' && !event.shiftKey && !draft.isExact) {
            event.preventDefault();
            if (!event.repeat) event.currentTarget.form?.requestSubmit();
          }
          if (event.key === 'ArrowUp' && walk(1)) event.preventDefault();
          if (event.key === 'ArrowDown' && walk(-1)) event.preventDefault();
        }}
      />
      <p className="hint">{hint}</p>
    </div>
  );
}
