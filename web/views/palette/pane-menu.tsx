// Menu of a pane and its process, built from the command table.
import { Ellipsis } from 'lucide-react';
import { useConsole } from '../../parts/console-context.tsx';
import { focusPane, goToPane } from '../../state/layout/layout-store.ts';
import { MenuButton, type MenuPart } from '../../parts/menu-button.tsx';
import { contextNow, MENU_PARTS } from '../../commands/command.ts';
import { enabledCommands } from '../../commands/commands.ts';
import { KeyCaps } from './key-caps.tsx';

export function PaneMenu({ processKey }: { readonly processKey: string }) {
  const console = useConsole();
  const partsNow = (): readonly MenuPart[] => {
    focusPane(processKey);
    const context = {
      ...contextNow(console),
      subject: processKey,
      isInList: false,
      isOnRow: false,
      isOnPane: false,
    };
    const commands = enabledCommands(context);
    return MENU_PARTS.map((part) => ({
      name: part,
      items: commands
        .filter(({ menu }) => menu === part)
        .map((command) => ({
          id: command.id,
          content: (
            <>
              <span>
                {command.title}
                {command.hint === undefined ? null : <span className="menu-hint">{command.hint}</span>}
              </span>
              {command.keys?.[0] && ['terminal', 'field'].includes(command.keys[0].scope) ? (
                <KeyCaps keys={command.keys[0].keys} />
              ) : null}
            </>
          ),
          isOn: command.isOn?.(context),
          onChoose: () => {
            // The commands apply to this pane, so the keyboard focus moves to it first.
            goToPane(processKey);
            command.run(context);
          },
        })),
    })).filter(({ items }) => items.length > 0);
  };
  return <MenuButton icon={Ellipsis} label="More" partsNow={partsNow} />;
}
