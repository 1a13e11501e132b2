// Number of people at the console; a click shows their names and roles.
import { clockText, countedText } from '../../../text/amounts.ts';
import { Users } from 'lucide-react';
import { mayAct } from '../../../client/connection-state.ts';
import { openDialog } from '../../state/page/page-store.ts';
import { PopoverButton } from '../../parts/popover-button.tsx';
import { everybody, type Somebody } from '../../state/processes/people.ts';
import { Initial } from '../../parts/initial.tsx';
import { usePresent } from '../../parts/use-present.tsx';

export function PeopleButton() {
  const present = usePresent();
  const all = everybody(present);
  if (present.connection.kind !== 'online' || all.length === 0) return null;
  const count = countedText(all.length, 'person', 'people');
  return (
    <PopoverButton
      icon={Users}
      label={count}
      hint={`${count} in this console`}
      text={String(all.length)}
      className="people-button"
    >
      <ul className="people">
        {all.map((somebody) => (
          <PersonLine key={somebody.token} somebody={somebody} />
        ))}
      </ul>
      {mayAct(present.connection) ? (
        <div className="people-acts">
          <button type="button" className="menu-item" onClick={() => openDialog('shareAll')}>
            Share the console …
          </button>
          <button type="button" className="menu-item" onClick={() => openDialog('connect')}>
            Connect an agent …
          </button>
          <button type="button" className="menu-item" onClick={() => openDialog('access')}>
            Access and tokens …
          </button>
          <button type="button" className="menu-item" onClick={() => openDialog('record')}>
            Audit log …
          </button>
        </div>
      ) : null}
    </PopoverButton>
  );
}

const MAY: { readonly [role: string]: string } = { observer: 'observer, read-only' };

function PersonLine({ somebody }: { readonly somebody: Somebody }) {
  const { name, role, connections, sinceMs, isOwn } = somebody;
  const since = clockText(sinceMs);
  return (
    <li className="person">
      <Initial name={name} />
      <span className="person-name">
        {name}
        {isOwn ? <span className="person-you"> (you)</span> : null}
      </span>
      <span className="person-about">
        {MAY[role] ?? role} · since {since}
        {connections.length > 1 ? ` · ${connections.length} tabs` : ''}
      </span>
    </li>
  );
}
