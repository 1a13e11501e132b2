// Ensures that approvals inspect the files of a request only when their file systems respond.
import { hangingMounts } from '../host/hanging.ts';
import { UNKNOWN } from '../host/sandbox/fact-finder.ts';
import { namedIn } from '../host/sandbox/intent.ts';
import type { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { environmentOf, type User } from '../host/user.ts';
import type { Taker } from '../limits/budget.ts';
import { internal } from '../rpc/rpc-error.ts';
import { answers, whenAnswered } from '../sessions/answers.ts';
import type { Decide, Peer } from '../sessions/peer.ts';
import { placesOfStart, programPlaces } from '../sessions/start-places.ts';
import { shownPath, type StartParams } from './start-question.ts';

/** Budget owner for the lookups of facts that are shown to people. */
const OF_PEOPLE: Taker = { tokenId: 'approvals', role: 'operator' };

interface Asking {
  readonly peer: Peer;
  readonly processId: string;
  isWithdrawn: boolean;
}

/**
 * Extends `decide` so that a start with a path on a file system that does not answer is refused without
 * asking a person. `isIdle`: returns true while no request waits for approval, and none can need it.
 */
export function afterAnswers(decide: Decide, user: User | null, isIdle: () => boolean): Decide {
  const all = new Set<Asking>();
  return (peer, method, params, signal) => {
    if (all.size === 0 && isIdle()) return null;
    if (method === 'process/terminate') {
      const { processId } = params as { readonly processId?: string };
      for (const one of all)
        if (one.peer.session === peer.session && one.processId === processId) one.isWithdrawn = true;
    }
    const answered = method === 'process/start' ? answersOf(peer, params as StartParams, user) : null;
    if (!answered) return decide(peer, method, params, signal);
    const asking: Asking = { peer, processId: (params as StartParams).processId, isWithdrawn: false };
    all.add(asking);
    return answered
      .finally(() => all.delete(asking))
      .then(async () => {
        if (asking.isWithdrawn) throw internal('the agent withdrew the request, so nothing was done');
        if (peer.connection.isEnding) throw internal('the connection was closed, so nothing was done');
        await decide(peer, method, params);
      });
  };
}

function answersOf({ identity }: Peer, params: StartParams, user: User | null): Promise<void> | null {
  const mounts = hangingMounts();
  if (mounts.length === 0) return null;
  const { argv, cwd, env, envPolicy, sandbox = null } = params;
  // Only `set` of the environment policy is applied, since only PATH and TMPDIR are needed.
  const variables = { ...environmentOf(user, process.env), ...envPolicy?.set, ...env };
  const start = { argv, cwd: shownPath(cwd), env: variables, intent: sandbox };
  return answers(placesOfStart(start, mounts), identity, mounts);
}

/** Returns the gateway's properties on which the approval of a start depends. */
export const startCircumstances = <L extends object>({
  user,
  limits,
  sandboxes,
}: {
  readonly user: User | null;
  readonly limits: L;
  readonly sandboxes: Sandboxes;
}) => ({
  user,
  limits,
  hasFloor: sandboxes.floor !== 'none',
  facts: factsInTime(sandboxes),
  noSandbox: () => sandboxes.failure,
});

/** Returns a variant of `facts` that resolves with UNKNOWN when a path's file system does not answer. */
function factsInTime(sandboxes: Pick<Sandboxes, 'facts' | 'look'>): Sandboxes['facts'] {
  return async (intent, where, question) => {
    const mounts = hangingMounts();
    if (mounts.length > 0) {
      const { cwd } = where;
      const places = question.programs.flatMap((each) => programPlaces(each, cwd, mounts));
      try {
        await answers([cwd, ...places, ...(intent ? namedIn(intent, where) : [])], OF_PEOPLE, mounts);
        await whenAnswered(() => sandboxes.look(intent, where), OF_PEOPLE, mounts);
      } catch {
        return UNKNOWN;
      }
    }
    return sandboxes.facts(intent, where, question);
  };
}
