// What a process's record means in a person's words: the status, how it ended, and by whom.
import type { EndedBy, ProcessInfo } from '../../server/protocol/console.ts';

export type ProcessStatus = 'starting' | 'running' | 'terminating' | 'succeeded' | 'failed' | 'lost';

type Ending = Pick<ProcessInfo, 'state' | 'exitCode' | 'signal' | 'terminatingSinceMs'>;

/** The one word that a row and a pane show. */
export function processStatus({ state, exitCode, signal, terminatingSinceMs }: Ending): ProcessStatus {
  switch (state) {
    case 'starting':
    case 'running':
      return terminatingSinceMs === null ? state : 'terminating';
    case 'exited':
    case 'closed':
      return exitCode === 0 && signal === null ? 'succeeded' : 'failed';
    case 'lost':
      return 'lost';
  }
}

/** Whether it still runs, as far as anybody knows. */
export function isAlive({ state }: Pick<ProcessInfo, 'state'>): boolean {
  return state === 'starting' || state === 'running';
}

/** How it ended: `exit 1`, `killed by SIGKILL`, `interrupted`; empty while it runs. */
export function endInWords({ state, exitCode, signal }: Ending): string {
  if (state === 'lost') return 'its gateway is gone';
  if (signal === 'SIGINT') return 'interrupted';
  if (signal !== null) return `killed by ${signal}`;
  return exitCode === null ? '' : `exit ${exitCode}`;
}

const HOW: { readonly [how in EndedBy['how']]: string } = {
  interrupt: 'interrupted',
  terminate: 'terminated',
  kill: 'killed',
  hangup: 'hung up',
  quit: 'quit',
  suspend: 'suspended',
  resume: 'resumed',
  sessionExpired: 'ended with its session',
  gatewayStopped: 'ended with the gateway',
};

/** `terminated by page`; empty when it ended by itself. */
export function endedByInWords(endedBy: EndedBy | null): string {
  if (!endedBy) return '';
  const isOfGateway = endedBy.how === 'sessionExpired' || endedBy.how === 'gatewayStopped';
  return isOfGateway ? HOW[endedBy.how] : `${HOW[endedBy.how]} by ${endedBy.who}`;
}
