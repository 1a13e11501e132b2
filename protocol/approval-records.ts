// Method records of console/*: approvals, pauses, policies and rules.
import * as ours from './approvals.ts';
import { admins, method, observers, operators, owners, result, type Empty } from './method-record.ts';
import type { RuleCheck } from './rules.ts';
import { noParams } from './scalars.ts';
import { APPROVALS_RESULT } from './seen-approvals.ts';

const noSuchId = () => ({ own: { id: 'none' } });

const ACTS: { readonly [decision in ours.ApprovalDecision]: string } = {
  accept: 'approve',
  acceptForSession: 'approve',
  acceptWithRule: 'approve',
  decline: 'decline',
  abort: 'abort',
};

export const approvalRecords = {
  'approvals/ask': method({
    params: ours.askParams,
    result: result<ours.AskResult>(),
    roles: { own: owners, any: [] },
    guest: null,
    seen: null,
    // The approval queue logs requests and their outcomes.
    audit: null,
    samples: ({ folder }) => ({ own: { tool: 'Edit', input: 'a file', cwd: folder } }),
  }),
  'console/approvals': method({
    params: ours.approvalsParams,
    result: result<ours.ApprovalsResult>(),
    roles: { own: observers, any: [] },
    guest: null,
    seen: APPROVALS_RESULT,
    audit: null,
    samples: () => ({ own: {}, harmless: { all: true, id: 'none' } }),
  }),
  'console/decide': method({
    params: ours.decideParams,
    result: result<ours.DecideResult>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: ({ id, decision, message }, { approval }) => ({
      act: ACTS[decision],
      details: {
        id,
        decision,
        ...(message !== undefined && { message }),
        ...(approval && { argv: approval.argv, agent: approval.startedBy }),
      },
      forms: { argv: 'commandLine' },
    }),
    samples: () => ({ own: { id: 'none', decision: 'decline', message: 'no' } }),
  }),
  'console/pause': method({
    params: ours.pauseParams,
    result: result<{ readonly pause: ours.Pause }>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: ({ interrupt }, { pause }) => ({
      act: 'pause',
      details: {
        id: pause?.id,
        agent: pause?.agent,
        session: pause?.session,
        thread: pause?.thread,
        interrupt,
      },
    }),
    samples: () => ({ own: { agent: 'nobody' }, harmless: { session: 'none' } }),
  }),
  'console/unpause': method({
    params: ours.unpauseParams,
    result: result<{ readonly lifted: readonly ours.Pause[] }>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: (_params, { lifted }) => ({ act: 'unpause', details: { pauses: lifted?.map(({ id }) => id) } }),
    samples: noSuchId,
  }),
  'console/setPolicy': method({
    params: ours.setPolicyParams,
    result: result<Empty>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: ({ policy, agent }) => ({
      act: 'setPolicy',
      details: { policy, ...(agent !== undefined && { agent }) },
    }),
    samples: () => ({ own: { policy: 'never' }, harmless: { policy: null, agent: 'nobody' } }),
  }),
  'console/checkCommand': method({
    params: ours.checkCommandParams,
    result: result<RuleCheck>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: null,
    samples: () => ({ own: { argv: ['true'] } }),
  }),
  'console/rules': method({
    params: noParams,
    result: result<ours.RulesResult>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: null,
    samples: () => ({ own: {} }),
  }),
  'console/addRule': method({
    params: ours.addRuleParams,
    result: result<Empty>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: ({ prefix }) => ({ act: 'addRule', details: { prefix }, forms: { prefix: 'commandLine' } }),
    samples: () => ({ own: { prefix: ['true'] }, harmless: { prefix: ['bash'] } }),
  }),
  'console/writeRules': method({
    params: ours.writeRulesParams,
    result: result<Empty>(),
    roles: { own: admins, any: [] },
    guest: null,
    seen: null,
    audit: ({ text }) => ({ act: 'writeRules', details: { text } }),
    samples: () => ({ own: { text: '' }, harmless: { text: 'not a rule' } }),
  }),
  'console/acceptRules': method({
    params: ours.acceptRulesParams,
    result: result<Empty>(),
    roles: { own: admins, any: [] },
    guest: null,
    seen: null,
    audit: () => ({ act: 'acceptRules' }),
    samples: () => ({ own: {} }),
  }),
};
