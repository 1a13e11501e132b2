// Dialog with the command that connects each kind of agent, ready to copy.
import { Copy } from 'lucide-react';
import { ConnectLine } from '../../parts/connect-line.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { CloseForm, useModal } from '../../parts/modal.tsx';
import { DialogNotices } from '../../parts/page-notices.tsx';
import { copyText } from '../../state/page/copy.ts';

interface Kind {
  /** Argument of `exec-console connect` for the agent. */
  readonly id: string;
  readonly name: string;
  /** Effect on the agent, in one sentence. */
  readonly effect: string;
}

const KINDS: readonly Kind[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    effect:
      'Every command of its Bash tool is listed here, and waits for approval when your policy requires it.',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    effect: 'Its shell commands run in the gateway, after Gemini’s own confirmation prompt.',
  },
  {
    id: 'opencode',
    name: 'opencode',
    effect: 'It gets tools that run in the gateway, and its own bash tool is disabled.',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    effect: 'It gets tools that run in the gateway. Add a rule that tells it to use exec_command.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    effect: 'Copilot gets tools that run in the gateway. Disable its runInTerminal tool.',
  },
];

export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} className="dialog access connect" aria-labelledby="connect-title" onClose={onClose}>
      <h2 id="connect-title">Connect an agent</h2>
      <div className="access-body" tabIndex={0} role="region" aria-label="Kinds of agents">
        <section aria-labelledby="connect-codex">
          <h3 id="connect-codex">Codex</h3>
          <p className="hint">
            Codex runs every command and every file change in the gateway. Run this where Codex runs.
          </p>
          <ConnectLine />
        </section>
        <section aria-labelledby="connect-others">
          <h3 id="connect-others">Other agents</h3>
          <p className="hint">
            Run the command on the gateway’s machine, in the clone of exec-console. It shows the change to the
            agent’s settings and asks before writing it. With <code>--undo</code> it reverts the change.
          </p>
          <ul className="connect-kinds">
            {KINDS.map(({ id, name, effect }) => (
              <Line key={id} name={name} effect={effect} line={`npx exec-console connect ${id}`} />
            ))}
          </ul>
        </section>
      </div>
      <DialogNotices />
      <CloseForm />
    </dialog>
  );
}

interface LineProps {
  readonly name: string;
  readonly effect: string;
  readonly line: string;
}

function Line({ name, effect, line }: LineProps) {
  return (
    <li>
      <b>{name}</b>
      <span className="hint">{effect}</span>
      <div className="connect-line">
        <pre>{line}</pre>
        <IconButton
          icon={Copy}
          label={`Copy command for ${name}`}
          hint="Copy command"
          onClick={() => void copyText(line)}
        />
      </div>
    </li>
  );
}
