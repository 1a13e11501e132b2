// Handlers of approvals, pauses, policies and rules.
import type { AskResult } from '../../protocol/approvals.ts';
import { headOf } from '../../text/cut.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Console } from '../console/console.ts';
import { checkDecider } from './deciders.ts';
import { invalidParams, invalidRequest } from '../rpc/rpc-error.ts';
import type { Methods, Peer } from '../sessions/peer.ts';

type ApprovalMethods = Pick<
  Methods,
  | 'approvals/ask'
  | `console/${'approvals' | 'decide' | 'pause' | 'unpause' | 'setPolicy' | 'checkCommand' | 'rules' | 'addRule' | 'writeRules' | 'acceptRules'}`
>;

/** `approvals` is null on a gateway that serves a single client on stdio. */
export function approvalMethods(approvals: Approvals | null, console: Console): ApprovalMethods {
  const known = (): Approvals => {
    if (!approvals)
      throw invalidRequest('this gateway has no approvals, because it serves a single client on stdio');
    return approvals;
  };
  const deciding = (peer: Peer): Approvals => {
    checkDecider(console, peer);
    return known();
  };
  return {
    'approvals/ask': (params, peer) => approvals?.ask(peer, params) ?? NOT_ASKED,
    'console/approvals': (params) => known().list(params ?? {}),
    'console/decide': (params, peer) => ({ approval: deciding(peer).answer(params, peer.identity) }),
    'console/pause': ({ all, agent, session: label, thread, interrupt }, peer) => {
      checkOne('console/pause', { all, agent, session: label });
      if (thread !== undefined && label === undefined)
        throw invalidParams('console/pause: params.thread: needs params.session, the session of the thread');
      const session = console.sessions.all().find((each) => each.label === label && !each.isConsole);
      if (label !== undefined && !session)
        throw invalidParams(`console/pause: params.session: unknown session ${headOf(label, 80)}`);
      return { pause: known().pause({ agent, session, thread, interrupt }, peer.identity.name) };
    },
    'console/unpause': ({ all, id, agent }, peer) => {
      checkOne('console/unpause', { all, id, agent });
      return { lifted: deciding(peer).unpause({ id, agent }, peer.identity.name) };
    },
    'console/setPolicy': ({ policy, agent }, peer) => {
      deciding(peer).setPolicy(policy, agent, peer.identity.name);
      return {};
    },
    'console/checkCommand': ({ argv }) => known().check(argv),
    'console/rules': () => known().rules.result,
    'console/addRule': ({ prefix }, peer) => {
      deciding(peer).addRule(prefix, peer.identity.name);
      return {};
    },
    'console/writeRules': ({ text, before }, peer) => {
      deciding(peer).rules.write(text, peer.identity.name, before);
      return {};
    },
    'console/acceptRules': (params, peer) => {
      deciding(peer).rules.acceptChanges(params?.changed, peer.identity.name);
      return {};
    },
  };
}

/** Reply of a gateway without approvals. */
const NOT_ASKED: AskResult = { decision: 'none', decidedBy: null, message: null };

/** Requires exactly one scope, so that an omitted one does not mean everything. */
function checkOne(method: string, named: Readonly<Record<string, unknown>>): void {
  const given = Object.values(named).filter((each) => each !== undefined);
  if (given.length !== 1)
    throw invalidParams(`${method}: expected exactly one of ${Object.keys(named).join(', ')}`);
}
