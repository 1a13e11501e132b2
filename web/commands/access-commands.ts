// Commands for access: connecting agents, tokens, shares, and the audit log.
import { mayAct } from '../../client/connection-state.ts';
import { processStore } from '../state/processes/process-store.ts';
import { openDialog } from '../state/page/page-store.ts';
import { hasOutput, infoOf, type Command } from './command.ts';

const isOperator = (): boolean => mayAct(processStore.getState().connection);

export const ACCESS_COMMANDS: readonly Command[] = [
  {
    id: 'connect',
    title: 'Connect an agent …',
    words: 'claude codex gemini opencode cursor vscode copilot mcp token install setup',
    group: 'General',
    when: isOperator,
    run: () => openDialog('connect'),
  },
  {
    id: 'access',
    title: 'Access and tokens …',
    words: 'tokens shares links roles revoke admin security',
    group: 'General',
    when: isOperator,
    run: () => openDialog('access'),
  },
  {
    id: 'shareAll',
    title: 'Share the console …',
    words: 'link observer guest invite look everything',
    group: 'General',
    when: isOperator,
    run: () => openDialog('shareAll'),
  },
  {
    id: 'record',
    title: 'Audit log …',
    words: 'audit log history acts security refused',
    group: 'General',
    when: isOperator,
    run: () => openDialog('record'),
  },
  {
    id: 'recordOfOne',
    title: 'Audit log of this process …',
    words: 'audit log history acts security',
    group: 'Process',
    menu: 'Agent',
    when: (context) => isOperator() && infoOf(context) !== undefined,
    run: () => openDialog('recordOfOne'),
  },
  {
    id: 'share',
    title: 'Share this process …',
    words: 'link observer guest invite look',
    group: 'Process',
    menu: 'Process',
    when: (context) => isOperator() && hasOutput(context),
    run: () => openDialog('share'),
  },
];
