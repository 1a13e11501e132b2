// Names of the process's other watchers and its controller, shown in the pane.
import { Eye } from 'lucide-react';
import type { ProcessInfo } from '../../protocol/console.ts';
import { isLive } from '../../text/process-words.ts';
import { PopoverButton } from './popover-button.tsx';
import { inControl, ownOf, watchersOf } from '../state/processes/people.ts';
import { Initial } from './initial.tsx';
import { usePresent } from './use-present.tsx';

export function Watchers({ info }: { readonly info: ProcessInfo }) {
  const present = usePresent();
  const names = watchersOf(info.watchedBy, present);
  if (present.connection.kind !== 'online' || names.length === 0) return null;
  const label = `Also watched by ${names.join(', ')}`;
  return (
    <PopoverButton icon={Eye} label={label} text={String(names.length)} className="watchers">
      <ul className="people">
        {names.map((name) => (
          <li key={name} className="person">
            <Initial name={name} />
            <span className="person-name">{name}</span>
            <span className="person-about">watching this process</span>
          </li>
        ))}
      </ul>
    </PopoverButton>
  );
}

/** Shows who else controls a running terminal; `ControlButton` shows the control of this page. */
export function ControlledBy({ info }: { readonly info: ProcessInfo }) {
  const present = usePresent();
  const own = ownOf(present.connection);
  if (own === null || !info.tty || !isLive(info)) return null;
  if (info.controller === null || info.controller === own) return null;
  const text = inControl(info.controller, present);
  return (
    <span className="controlled-by" title={`${text}: the controller’s window sets the terminal’s size`}>
      {text}
    </span>
  );
}
