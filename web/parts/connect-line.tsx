// Command that starts Codex connected to this gateway, ready to copy, with a token created here.
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { mayAct } from '../../client/connection-state.ts';
import { useConsole } from './console-context.tsx';
import { processStore } from '../state/processes/process-store.ts';
import { durationText } from '../../text/amounts.ts';
import { agentLine } from '../state/page/agent-line.ts';
import { copyText } from '../state/page/copy.ts';
import { errorText } from '../../text/error-text.ts';
import { IconButton } from './icon-button.tsx';
import { useOneAtATime } from './use-one-at-a-time.tsx';

/**
 * Lifetime of the token, the same as in the command that the gateway prints. A token created by an operator
 * expires no later than the operator's own token.
 */
const TOKEN_TTL_MS = 90 * 24 * 60 * 60 * 1000;

interface Made {
  readonly token: string;
  readonly endsInMs: number | null;
}

export function ConnectLine() {
  const { client } = useConsole();
  const mayCreate = useStore(processStore, ({ connection }) => mayAct(connection));
  const [made, setMade] = useState<Made | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const once = useOneAtATime();
  const line = agentLine(made?.token ?? 'TOKEN');

  async function create(): Promise<void> {
    try {
      const { token, expiresAtMs } = await client.connection.request('console/createToken', {
        name: 'agent',
        role: 'agent',
        ttlMs: TOKEN_TTL_MS,
      });
      setMade({ token, endsInMs: expiresAtMs && expiresAtMs - Date.now() });
      setProblem(null);
    } catch (error) {
      setProblem(errorText(error));
    }
  }

  return (
    <>
      <div className="connect-line">
        <pre>{line}</pre>
        {made || !mayCreate ? (
          <IconButton icon={Copy} label="Copy command" onClick={() => void copyText(line)} />
        ) : null}
      </div>
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          No token was created: {problem}.
        </p>
      )}
      {made ? (
        <p className="hint" role="status">
          The command is complete and is shown only once: its token lets an agent run commands here
          {made.endsInMs === null ? '' : ` and expires in ${durationText(made.endsInMs)}`}. Run it where the
          agent runs.
        </p>
      ) : mayCreate ? (
        <button type="button" className="primary" data-begin-here onClick={() => void once(create)}>
          Create token for an agent
        </button>
      ) : (
        <p className="hint">
          Replace TOKEN with an agent’s token. An operator can create one on this page, or with{' '}
          <code>exec-console token create agent --role agent</code> on the gateway’s machine.
        </p>
      )}
    </>
  );
}
