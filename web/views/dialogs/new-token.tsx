// Creates a token and shows it once; for an agent, with the command that starts Codex with it.
import { useState } from 'react';
import { useStore } from 'zustand';
import type { CreateTokenResult } from '../../../protocol/access.ts';
import { ROLES } from '../../../protocol/console-constants.ts';
import type { Role } from '../../../protocol/session.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { whyNotChange } from '../../state/processes/why-not-start.ts';
import { agentLine } from '../../state/page/agent-line.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { TOKEN_LIFETIMES } from '../../state/processes/lifetimes.ts';
import { useOneAtATime } from '../../parts/use-one-at-a-time.tsx';
import { SecretLine } from './secret-line.tsx';

interface NewTokenProps {
  readonly onMade: () => void;
  readonly onDone: () => void;
}

const MAY: { readonly [role in Role]: string } = {
  agent: 'runs its own commands',
  observer: 'views all processes',
  operator: 'controls all processes',
  admin: 'controls all processes, and manages tokens',
};

const LONGEST_NAME = 64;
const USUAL_LIFETIME = '90 days';

export function NewToken({ onMade, onDone }: NewTokenProps) {
  const { client } = useConsole();
  const refusal = useStore(processStore, ({ connection }) => whyNotChange(connection));
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('agent');
  const [lifetime, setLifetime] = useState(USUAL_LIFETIME);
  const [made, setMade] = useState<CreateTokenResult | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const once = useOneAtATime();

  async function make(): Promise<void> {
    const ttlMs = TOKEN_LIFETIMES.find(({ text }) => text === lifetime)?.ttlMs ?? null;
    try {
      setMade(await client.connection.request('console/createToken', { name: name.trim(), role, ttlMs }));
      setProblem(null);
      onMade();
    } catch (error) {
      setProblem(errorSentence(error));
    }
  }

  if (made) {
    return (
      <div className="new-token" role="group" aria-label={`Token of ${made.name}`}>
        <p className="access-note">This token for {made.name} is shown only once:</p>
        <SecretLine label="Token" copies="token" text={made.token} isNext />
        {made.role === 'agent' ? (
          <SecretLine label="Command that starts Codex" copies="command" text={agentLine(made.token)} />
        ) : null}
        <div className="dialog-buttons">
          <button type="button" className="secondary" onClick={onDone}>
            Done
          </button>
        </div>
      </div>
    );
  }
  return (
    <form
      className="new-token"
      aria-label="New token"
      onSubmit={(event) => {
        event.preventDefault();
        void once(make);
      }}
    >
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      <div className="new-token-fields">
        <div className="field">
          <label htmlFor="token-name">Name</label>
          <input
            id="token-name"
            className="plain"
            autoFocus
            autoComplete="off"
            maxLength={LONGEST_NAME}
            placeholder="Name shown in the console"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="token-role">Role</label>
          <select
            id="token-role"
            value={role}
            onChange={(event) => setRole(ROLES.find((each) => each === event.target.value) ?? 'agent')}
          >
            {ROLES.map((each) => (
              <option key={each} value={each}>
                {each}: {MAY[each]}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="token-lifetime">Expires after</label>
          <select id="token-lifetime" value={lifetime} onChange={(event) => setLifetime(event.target.value)}>
            {TOKEN_LIFETIMES.map(({ text }) => (
              <option key={text}>{text}</option>
            ))}
          </select>
        </div>
      </div>
      <div className="dialog-buttons">
        <button type="button" className="secondary" onClick={onDone}>
          Cancel
        </button>
        <button
          type="submit"
          className="primary"
          disabled={name.trim() === '' || refusal !== null}
          title={refusal ?? undefined}
        >
          Create token
        </button>
      </div>
    </form>
  );
}
