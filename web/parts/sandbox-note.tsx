// Sandbox policy of a process: a few words in the pane header, and the full text below on demand.
import { Shield, ShieldAlert, ShieldOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProcessInfo } from '../../protocol/console.ts';
import { isDenied, type statusOf } from '../../text/process-words.ts';
import { visible } from '../../text/visible.ts';

type Sandboxed = Pick<ProcessInfo, 'sandbox'> & Parameters<typeof statusOf>[0];

const NONE = 'none';

interface SandboxChipProps {
  readonly info: Sandboxed;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function SandboxChip({ info, isOpen, onToggle }: SandboxChipProps) {
  const Icon = isDenied(info) ? ShieldAlert : info.sandbox === NONE ? ShieldOff : Shield;
  return (
    <button
      type="button"
      className={`sandbox-chip ${isDenied(info) ? 'denied' : ''}`}
      aria-expanded={isOpen}
      title={policyText(info)}
      onClick={onToggle}
    >
      <Icon size={12} aria-hidden="true" />
      <span className="sandbox-words">{info.sandbox === NONE ? 'No sandbox' : firstWords(info.sandbox)}</span>
    </button>
  );
}

interface SandboxNoteProps {
  readonly info: Sandboxed;
  readonly children?: ReactNode;
}

export function SandboxNote({ info, children }: SandboxNoteProps) {
  return (
    <p className={`pane-strip sandbox-note ${isDenied(info) ? 'denied' : ''}`}>
      {isDenied(info) ? 'Probably blocked by its sandbox. ' : null}
      {policyText(info)} {children}
    </p>
  );
}

function policyText({ sandbox }: Pick<Sandboxed, 'sandbox'>): string {
  return sandbox === NONE
    ? 'No sandbox: full access as the gateway’s user.'
    : `Sandbox: ${visible(sandbox)}.`;
}

/** First part of a policy, for example `writes to /repo and /tmp`. */
const firstWords = (policy: string): string => visible(policy.split('; ')[0] ?? policy);
