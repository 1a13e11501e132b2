// People at the console in words: by the name of their token, with this page's user marked.
import type { Person } from '../../../protocol/activity.ts';
import { mayAct, type ConnectionState, type SilentConnection } from '../../../client/connection-state.ts';
import { visible } from '../../../text/visible.ts';

export interface Present {
  readonly people: readonly Person[];
  readonly connection: ConnectionState | SilentConnection;
}

/** A person: one token, with all of its open pages. */
export interface Somebody {
  readonly token: string;
  readonly name: string;
  readonly role: Person['role'];
  readonly connections: readonly string[];
  /** Time at which the oldest of these connections was opened. */
  readonly sinceMs: number;
  /** True when one of the pages is this one. */
  readonly isOwn: boolean;
}

export const ownOf = (connection: ConnectionState | SilentConnection): string | null =>
  connection.kind === 'online' || connection.kind === 'silent' ? connection.connection : null;

const ANOTHER_TAB = 'you, in another tab';
const UNKNOWN_CONNECTION = 'another connection';

/**
 * Returns the name of the person on a connection, for example `you`, `you, in another tab` or `Ada`; `another
 * connection` when no person in `people` has this connection.
 */
export function nameOf(label: string, { people, connection }: Present): string {
  const own = ownOf(connection);
  if (label === own) return 'you';
  const person = people.find((each) => each.connection === label);
  if (!person) return UNKNOWN_CONNECTION;
  const self = people.find((each) => each.connection === own);
  return person.token === self?.token ? ANOTHER_TAB : visible(person.name);
}

/** Returns for example `Ada is in control`. */
export function inControl(label: string, present: Present): string {
  const name = nameOf(label, present);
  if (name === ANOTHER_TAB) return 'You are in control in another tab';
  return name === UNKNOWN_CONNECTION ? 'Another connection is in control' : `${name} is in control`;
}

/** Returns each person once: this page's user first, then the others by the time of connecting. */
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

/**
 * Returns the people to whom control can be given, without this page and the controller's; the `connections` of each
 * person end with the page opened last.
 */
export function mayBeGiven({ people, connection }: Present, controller: string | null): readonly Somebody[] {
  const own = ownOf(connection);
  return everybody({ people, connection }).flatMap((person) => {
    if (person.role !== 'operator' && person.role !== 'admin') return [];
    const connections = person.connections.filter((label) => label !== own && label !== controller);
    return connections.length === 0 ? [] : [{ ...person, connections }];
  });
}

/** Returns the names of a process's other watchers, each once. */
export function watchersOf(watchedBy: readonly string[], { people, connection }: Present): readonly string[] {
  const own = ownOf(connection);
  const names = watchedBy
    .filter((label) => label !== own)
    .map((label) => nameOf(label, { people, connection }));
  return [...new Set(names)];
}

/** Returns whether this page is read-only; while it is not online, returns `before`, the last known value. */
export const isReadOnly = (connection: ConnectionState | SilentConnection, before: boolean): boolean =>
  connection.kind === 'online' ? !mayAct(connection) : before;
