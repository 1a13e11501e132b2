// exec-console approvals, approve, decline and abort: list agents' requests that wait for approval, and decide
// on them.
import { RequestError } from '../../client/exec-client.ts';
import type { Approval, ApprovalDecision } from '../../protocol/approvals.ts';
import { SOMEBODY } from '../../protocol/console-constants.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { durationText } from '../../text/amounts.ts';
import { commandLine } from '../../text/command-line.ts';
import { refusalAfterChange } from '../../text/refusals.ts';
import { visible } from '../../text/visible.ts';
import type { FlagSpec } from './arguments.ts';
import { withGateway, type Gateway } from './connect.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { print, printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { table } from './table.ts';
import { watchApprovals } from './watched-approvals.ts';

export const approvals: Subcommand = {
  usage: 'approvals [flags]',
  summary: 'List requests that are waiting for approval',
  help: `Lists the requests that are waiting for a person, oldest first. Decide with "exec-console approve ID",
"exec-console decline ID" or "exec-console abort ID".`,
  flags: {
    all: { type: 'boolean', short: 'a', about: 'Also list finished requests, with who decided them' },
    watch: {
      type: 'boolean',
      short: 'w',
      about: 'Print each request when it arrives, and again when it changes or ends, until interrupted',
    },
    json: {
      type: 'boolean',
      about: 'Print one JSON array with all fields; with --watch, one object per line',
    },
  },
  examples: ['approvals', 'approvals --watch', "approvals --json | jq -r '.[].id'"],
  exitCodes: [['141', 'With --watch: the reader of stdout has closed it (broken pipe)']],
  words: 0,
  execute: (args, env) => {
    args.refuseBoth('all', 'watch');
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const isJson = args.has('json');
      if (args.has('watch'))
        return watchApprovals(gateway, (approval) =>
          isJson ? printJson(approval) : print(row(approval).map(visible).join('  ')),
        );
      const { approvals: found } = await gateway.client.connection.request('console/approvals', {
        all: args.has('all'),
      });
      if (isJson) await printJson(found);
      else await print(table([['ID', 'STATE', 'AGE', 'AGENT', 'COMMAND'], ...found.map(row)]));
      return ExitCode.ok;
    });
  },
};

const row = (approval: Approval): string[] => [
  approval.id,
  stateOf(approval),
  durationText((approval.decidedAtMs ?? Date.now()) - approval.createdAtMs),
  approval.startedBy,
  whatOf(approval),
];

function stateOf({ state, decision, decidedBy, message, reason }: Approval): string {
  if (state === 'waiting') return `waiting: ${reason}`;
  if (state === 'declined' && decision === null)
    return refusalAfterChange(decidedBy ?? SOMEBODY, message ?? '');
  return decidedBy === null ? state : `${state} by ${decidedBy}`;
}

function whatOf({ kind, method, argv, cwd, input, details }: Approval): string {
  if (kind === 'start') return commandLine(argv);
  const more = details === null ? '' : ` (${visible(details)})`;
  if (kind === 'tool')
    return `tool: ${argv.length > 0 ? `${commandLine(argv)}${more}` : visible(details ?? '')}`;
  if (kind === 'input') return `input for ${commandLine(argv)}${input === null ? '' : `: ${visible(input)}`}`;
  return `${method} ${visible(cwd)}${more}`;
}

const DECIDED = { type: 'boolean', about: 'Print the decided request as JSON' } as const satisfies FlagSpec;
const NO_SUCH_REQUEST: Subcommand['exitCodes'] = [['5', 'There is no request with this ID']];

export const approve: Subcommand = {
  usage: 'approve [flags] ID',
  summary: 'Approve a waiting request',
  help: 'Approves the request once. "exec-console approvals" lists the IDs.',
  flags: {
    session: { type: 'boolean', about: "Also approve the same command for the rest of the agent's session" },
    rule: {
      type: 'boolean',
      about: 'Also write the proposed rule, which allows the command from now on',
    },
    json: DECIDED,
  },
  examples: ['approve a-1234abcd', 'approve --session a-1234abcd'],
  exitCodes: NO_SUCH_REQUEST,
  words: 1,
  execute: (args, env) => {
    args.refuseBoth('session', 'rule');
    const decision = args.has('session')
      ? 'acceptForSession'
      : args.has('rule')
        ? 'acceptWithRule'
        : 'accept';
    return withGateway(gatewayAddress(args, env), (gateway) =>
      decide(gateway, { id: args.words[0] ?? '', decision, isJson: args.has('json') }),
    );
  },
};

const refusing = (decision: 'decline' | 'abort', summary: string, help: string): Subcommand => ({
  usage: `${decision} [flags] ID`,
  summary,
  help,
  flags: {
    message: { type: 'string', short: 'm', value: 'TEXT', about: 'Reason, which is sent to the agent' },
    json: DECIDED,
  },
  examples: [`${decision} a-1234abcd`, `${decision} --message staging-only a-1234abcd`],
  exitCodes: NO_SUCH_REQUEST,
  words: 1,
  execute: (args, env) =>
    withGateway(gatewayAddress(args, env), (gateway) =>
      decide(gateway, {
        id: args.words[0] ?? '',
        decision,
        message: args.text('message'),
        isJson: args.has('json'),
      }),
    ),
});

export const decline = refusing(
  'decline',
  'Decline a waiting request',
  'Declines the request. The agent receives your name and the message, and continues.',
);

export const abort = refusing(
  'abort',
  'Decline a waiting request and stop its thread',
  `Declines the request, terminates the processes of its thread, and holds all later starts of the thread until
"exec-console unpause".`,
);

interface Decision {
  readonly id: string;
  readonly decision: ApprovalDecision;
  readonly message?: string | null;
  readonly isJson: boolean;
}

/** Prints the rules that `--rule` would write, and returns them. */
async function showRules(client: Gateway['client'], id: string): Promise<readonly string[]> {
  const { approvals } = await client.connection.request('console/approvals', { id });
  const rules = approvals.flatMap(({ state, proposedRules }) => (state === 'waiting' ? proposedRules : []));
  for (const rule of rules) await print(`rule to write: ${visible(rule)}`);
  return rules;
}

const noSuchRequest = (id: string): CommandFailed =>
  new CommandFailed(
    ExitCode.notFound,
    `no request has the ID "${visible(id)}"; list those that are waiting with: exec-console approvals`,
  );

async function decide(
  { client }: Gateway,
  { id, decision, message = null, isJson }: Decision,
): Promise<number> {
  const rules = decision === 'acceptWithRule' && !isJson ? await showRules(client, id) : null;
  const { approval } = await client.connection
    .request('console/decide', {
      id,
      decision,
      ...(message !== null && { message }),
      ...(rules && { rules: [...rules] }),
    })
    .catch((error: unknown) => {
      const isUnknown = error instanceof RequestError && error.code === ErrorCode.unknownKey;
      throw isUnknown ? noSuchRequest(id) : error;
    });
  if (isJson) await printJson(approval);
  else await print(`${approval.state}: ${whatOf(approval)}`);
  return ExitCode.ok;
}
