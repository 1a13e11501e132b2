// Who else is at the console, in words: by the name of their token, and oneself told apart.
import type { Person } from '../../../protocol/activity.ts';
import { mayAct, type ConnectionState, type SilentConnection } from '../../../client/connection-state.ts';
import { visible } from '../../../text/visible.ts';

export interface Present {
  readonly people: readonly Person[];
  readonly connection: ConnectionState | SilentConnection;
}

/** One token, with all the pages that it has open. */
export interface Somebody {
  readonly token: string;
  readonly name: string;
  readonly role: Person['role'];
  readonly connections: readonly string[];
  /** Of the page that was there first. */
  readonly sinceMs: number;
  /** Whether one of the pages is this one. */
  readonly isOwn: boolean;
}

export const ownOf = (connection: ConnectionState | SilentConnection): string | null =>
  connection.kind === 'online' || connection.kind === 'silent' ? connection.connection : null;

const ANOTHER_TAB = 'you, in another tab';
const NOBODY_KNOWN = 'another connection';

/** `you`, `you, in another tab`, `Ada`; whoever does not watch has no name here. */
export function nameOf(label: string, { people, connection }: Present): string {
  const own = ownOf(connection);
  if (label === own) return 'you';
  const person = people.find((each) => each.connection === label);
  if (!person) return NOBODY_KNOWN;
  const self = people.find((each) => each.connection === own);
  return person.token === self?.token ? ANOTHER_TAB : visible(person.name);
}

/** `Ada is in control`. */
export function inControl(label: string, present: Present): string {
  const name = nameOf(label, present);
  if (name === ANOTHER_TAB) return 'You are in control in another tab';
  return name === NOBODY_KNOWN ? 'Another connection is in control' : `${name} is in control`;
}

/** Everybody once, oneself first, then who came first. */
export function everybody({ people, connection }: Present): readonly Somebody[] {
  const own = ownOf(connection);
  const byToken = new Map<string, Person[]>();
  for (const person of people) {
    byToken.set(person.token, [...(byToken.get(person.token) ?? []), person]);
  }
  return [...byToken.values()]
    .flatMap((pages): Somebody[] => {
      const [first] = pages;
      if (!first) return [];
      const connections = pages.map((page) => page.connection);
      return [
        {
          token: first.token,
          name: visible(first.name),
          role: first.role,
          connections,
          sinceMs: Math.min(...pages.map(({ sinceMs }) => sinceMs)),
          isOwn: own !== null && connections.includes(own),
        },
      ];
    })
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.sinceMs - b.sinceMs);
}

/** To whom control can be given, by name; of several pages of one token, the one that was opened last. */
export function mayBeGiven({ people, connection }: Present, controller: string | null): readonly Somebody[] {
  const own = ownOf(connection);
  const others = people.filter(
    ({ connection: label, role }) =>
      label !== own && label !== controller && (role === 'operator' || role === 'admin'),
  );
  return everybody({ people: others, connection });
}

/** Who else follows a process, each once. */
export function watchersOf(watchedBy: readonly string[], { people, connection }: Present): readonly string[] {
  const own = ownOf(connection);
  const names = watchedBy
    .filter((label) => label !== own)
    .map((label) => nameOf(label, { people, connection }));
  return [...new Set(names)];
}

/** Whether this page's person may look and do nothing; as it last was while there is no connection. */
export const mayOnlyLook = (connection: ConnectionState | SilentConnection, before: boolean): boolean =>
  connection.kind === 'online' ? !mayAct(connection) : before;
