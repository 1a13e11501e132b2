// Prints a note when no token has an agent's name, since a mistyped name would pause or restrict no agent.
import type { Connection } from '../../client/exec-client.ts';
import { visible } from '../../text/visible.ts';
import { printNote } from './notes.ts';

/** Prints the note when no token has this name; does nothing for null, or when the tokens cannot be listed. */
export async function noteUnknownAgent(connection: Connection, agent: string | null): Promise<void> {
  if (agent === null) return;
  const listed = await connection.request('console/tokens', {}).catch(() => null);
  if (listed === null || listed.tokens.some(({ name }) => name === agent)) return;
  const names = listed.tokens.filter(({ role }) => role === 'agent').map(({ name }) => visible(name));
  const known = names.length === 0 ? 'there are no agents yet' : `known: ${[...new Set(names)].join(', ')}`;
  printNote(`no agent is named ${visible(agent)} (${known}); this applies once an agent has this name`);
}
