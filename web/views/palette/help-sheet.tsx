// Help: all commands with their keys, from the same table that defines them.
import type { Binding, CommandGroup } from '../../commands/command.ts';
import { COMMANDS } from '../../commands/commands.ts';
import { isMac } from '../../state/page/platform.ts';
import { KeyCaps } from './key-caps.tsx';
import { CloseForm, useModal } from '../../parts/modal.tsx';

const GROUPS: readonly CommandGroup[] = ['General', 'List', 'Panes', 'Process', 'Approvals'];

const WHERE: { readonly [scope in Binding['scope']]: string } = {
  terminal: 'everywhere, including in a terminal',
  field: 'everywhere, except in a terminal that has the keyboard',
  page: 'outside terminals and fields',
  pane: 'on a pane whose terminal does not have the keyboard',
  row: 'on a row of the list',
  request: 'on an approval request',
};

/** Ctrl+C of a Mac, written out because key bindings cannot name a Mac's Ctrl, which only terminals use. */
const INTERRUPT_ON_MAC = (
  <>
    and{' '}
    <span className="key-caps">
      <kbd>⌃</kbd>
      <kbd>C</kbd>
    </span>{' '}
    interrupts
  </>
);

export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} className="dialog help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keyboard shortcuts</h2>
      <p className="help-note">
        A terminal gets the keyboard when you click it, or press <KeyCaps keys="Enter" /> on its pane. Keys
        then go to the program, except those marked <TerminalMark />, and <KeyCaps keys="Mod+Shift+C" /> and{' '}
        <KeyCaps keys="Mod+Shift+V" />, which copy and paste. <KeyCaps keys="Mod+C" /> copies the selection,{' '}
        {isMac ? INTERRUPT_ON_MAC : 'or interrupts if nothing is selected'}.
      </p>
      <div className="help-groups" tabIndex={0} role="region" aria-label="Commands and their keys">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {COMMANDS.filter((command) => command.group === group).map(({ id, title, keys = [] }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>
                    {keys.length === 0 ? <span className="help-none">in the palette</span> : null}
                    {keys.map((binding) => (
                      <span key={binding.keys} title={WHERE[binding.scope]}>
                        {binding.scope === 'terminal' ? <TerminalMark /> : null}
                        <KeyCaps keys={binding.keys} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <CloseForm />
    </dialog>
  );
}

function TerminalMark() {
  return (
    <span className="help-mark" role="img" aria-label="also in a terminal">
      ▸
    </span>
  );
}
