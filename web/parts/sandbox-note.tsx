// The policy that a process runs under: a word in its pane's header, and the whole of it below on demand.
import { Shield, ShieldAlert, ShieldOff } from 'lucide-react';
import type { ProcessInfo } from '../../protocol/console.ts';
import { visible } from '../../text/visible.ts';

type Sandboxed = Pick<ProcessInfo, 'sandbox' | 'sandboxDenied'>;

const NONE = 'none';

interface SandboxChipProps {
  readonly info: Sandboxed;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function SandboxChip({ info, isOpen, onToggle }: SandboxChipProps) {
  const Icon = info.sandboxDenied ? ShieldAlert : info.sandbox === NONE ? ShieldOff : Shield;
  return (
    <button
      type="button"
      className={`sandbox-chip ${info.sandboxDenied ? 'denied' : ''}`}
      aria-expanded={isOpen}
      title={policyText(info)}
      onClick={onToggle}
    >
      <Icon size={12} aria-hidden="true" />
      <span className="sandbox-words">{info.sandbox === NONE ? 'No sandbox' : firstWords(info.sandbox)}</span>
    </button>
  );
}

export function SandboxNote({ info }: { readonly info: Sandboxed }) {
  return (
    <p className={`pane-strip sandbox-note ${info.sandboxDenied ? 'denied' : ''}`}>
      {info.sandboxDenied ? 'It failed, probably because its sandbox denied it something. ' : null}
      {policyText(info)}
    </p>
  );
}

function policyText({ sandbox }: Sandboxed): string {
  return sandbox === NONE
    ? 'No sandbox: it may do whatever the gateway’s user may.'
    : `Sandbox: ${visible(sandbox)}.`;
}

/** `writes to /work and /tmp` of a policy that goes on about other things. */
const firstWords = (policy: string): string => visible(policy.split('; ')[0] ?? policy);
