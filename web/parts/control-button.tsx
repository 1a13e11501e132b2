// Control of a terminal: a button takes or releases it, and a menu passes it to another person or tab.
import { ChevronDown, Keyboard } from 'lucide-react';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { RemoteProcess } from '../../client/exec-client.ts';
import { IconButton } from './icon-button.tsx';
import { MenuButton, type MenuItem } from './menu-button.tsx';
import { inControl, mayBeGiven, ownOf } from '../state/processes/people.ts';
import { usePresent } from './use-present.tsx';

interface ControlButtonProps {
  readonly info: ProcessInfo;
  readonly process: Pick<RemoteProcess, 'control' | 'giveControl'>;
  readonly onAct: (what: Promise<unknown>) => void;
  /** Called after control is taken, to focus the terminal. */
  readonly onTaken: () => void;
}

export function ControlButton({ info: { controller }, process, onAct, onTaken }: ControlButtonProps) {
  const present = usePresent();
  const own = ownOf(present.connection);
  const isControlled = own !== null && controller === own;
  const isOthers = own !== null && controller !== null && !isControlled;
  const others = own === null ? [] : mayBeGiven(present, controller);
  const take = (): void => {
    onAct(process.control(true));
    onTaken();
  };
  const choices = (): MenuItem[] => [
    isControlled
      ? { id: 'giveUp', content: 'Release control', onChoose: () => onAct(process.control(false)) }
      : { id: 'take', content: 'Take control', onChoose: take },
    ...others.flatMap(({ name, isOwn, connections }) => {
      const to = connections.at(-1);
      if (to === undefined) return [];
      return {
        id: to,
        content: isOwn ? 'Move control to your other tab' : `Give control to ${name}`,
        onChoose: () => onAct(process.giveControl(to)),
      };
    }),
  ];
  const taking = 'Take control: this pane sets the terminal’s size and answers the program’s queries';
  return (
    <>
      <IconButton
        icon={Keyboard}
        label="Take control"
        hint={
          isControlled
            ? 'This pane sets the terminal’s size. Press again to release control.'
            : `${isOthers ? `${inControl(controller, present)}. ` : ''}${taking}`
        }
        pressed={isControlled}
        disabled={present.connection.kind !== 'online'}
        onClick={isControlled ? () => onAct(process.control(false)) : take}
      >
        {isControlled ? 'In control' : 'Take control'}
      </IconButton>
      {others.length > 0 ? (
        <MenuButton
          icon={ChevronDown}
          label="Change who has control"
          partsNow={() => [{ name: 'Control', items: choices() }]}
        />
      ) : null}
    </>
  );
}
