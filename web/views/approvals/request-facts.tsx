// Facts for deciding a request: the folder, the agent, the sandbox, and why it needs approval.
import { useStore } from 'zustand';
import type { Approval } from '../../../protocol/approvals.ts';
import { bytesText, dateTimeText, numberText } from '../../../text/amounts.ts';
import { commandLine } from '../../../text/command-line.ts';
import { visible } from '../../../text/visible.ts';
import { isCommand, reasonText } from '../../state/approvals/request-words.ts';
import { processStore } from '../../state/processes/process-store.ts';

export function RequestFacts({ request }: { readonly request: Approval }) {
  const { kind, cwd, arg0, metadata, reason, rule, complex, variables, tty, pipeStdin, key } = request;
  const { branch, program, folder, moreVariables } = request;
  const thread = metadata['threadId'];
  const justification = metadata['justification'];
  return (
    <dl className="request-facts">
      {kind === 'start' || kind === 'input' || kind === 'tool' ? (
        <Fact name="Folder" text={cwd} isCode />
      ) : null}
      {folder ? <Fact name="Real path" text={folder} isCode /> : null}
      {request.details === null || (kind === 'tool' && !isCommand(request)) ? null : (
        <Fact name="Details" text={request.details} />
      )}
      {branch ? <Fact name="Branch" text={branch} isCode /> : null}
      {program ? <ProgramFact program={program} /> : null}
      {kind === 'input' ? <Into request={request} /> : null}
      {kind === 'start' || kind === 'input' ? <SandboxFact isSandboxed={request.sandboxed} /> : null}
      {kind === 'start' && (tty || pipeStdin) ? (
        <Fact name="Input" text={tty ? 'from a terminal' : 'from the agent, on stdin'} />
      ) : null}
      {arg0 === null ? null : <Fact name="argv[0]" text={arg0} isCode />}
      {thread === undefined || key !== null ? null : <Fact name="Thread" text={thread} isCode />}
      {justification === undefined ? null : <Fact name="Agent’s reason" text={`“${justification}”`} />}
      <Fact name="Reason" text={reasonText(request)} />
      {rule ? <RuleFact rule={rule} /> : null}
      {complex === null || reason.includes(complex) ? null : (
        <Fact name="Script" text={`Rules cannot determine what it runs: ${complex}`} />
      )}
      <Parts request={request} />
      {variables.map(({ name, value }) => (
        <Fact key={name} name="Variable" text={value === null ? name : `${name}=${value}`} isCode />
      ))}
      {moreVariables > 0 ? <Fact name="Variables" text={`and ${numberText(moreVariables)} more`} /> : null}
    </dl>
  );
}

interface FactProps {
  readonly name: string;
  readonly text: string;
  readonly isCode?: boolean;
}

function Fact({ name, text, isCode = false }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isCode ? <code>{visible(text)}</code> : visible(text)}</dd>
    </div>
  );
}

/** Sandbox of a command; a command without a sandbox has full access as the gateway's user. */
function SandboxFact({ isSandboxed }: { readonly isSandboxed: boolean }) {
  return (
    <div>
      <dt>Sandbox</dt>
      <dd className={isSandboxed ? '' : 'request-risk'}>{isSandboxed ? 'yes' : 'none'}</dd>
    </div>
  );
}

/** Number of digits shown of a program's hash; two files never share this many by chance. The tooltip has all. */
const SHOWN_DIGITS = 16;

function ProgramFact({ program }: { readonly program: NonNullable<Approval['program']> }) {
  const { path, bytes, modifiedAtMs, sha256 } = program;
  return (
    <div>
      <dt>Program</dt>
      <dd>
        <code>{visible(path)}</code> in a writable folder, {bytesText(bytes)}, changed{' '}
        {dateTimeText(modifiedAtMs)}
        {sha256 === null ? (
          ', too large to hash'
        ) : (
          <>
            , SHA-256 <code title={visible(sha256)}>{visible(sha256.slice(0, SHOWN_DIGITS))}…</code>
          </>
        )}
      </dd>
    </div>
  );
}

function RuleFact({ rule }: { readonly rule: NonNullable<Approval['rule']> }) {
  const { justification } = rule;
  return (
    <div>
      <dt>Rule</dt>
      <dd>
        <code>{visible(rule.rule)}</code> in <code>{visible(rule.file)}</code>, line {rule.line}
        {justification === null ? null : <>: {visible(justification)}</>}
      </dd>
    </div>
  );
}

function Into({ request: { key, argv } }: { readonly request: Approval }) {
  const info = useStore(processStore, ({ processes }) => (key === null ? undefined : processes[key]));
  return <Fact name="Process" text={commandLine(info?.argv ?? argv)} isCode />;
}

/** Commands of a script, each with the decision of the rules. */
function Parts({ request: { parts } }: { readonly request: Approval }) {
  if (parts.length < 2) return null;
  return (
    <div>
      <dt>Commands</dt>
      <dd>
        {parts.map(({ words, decision }, at) => (
          // The index is a stable key, since the parts of a script keep their order.
          <code key={String(at)} className="request-part" data-decision={decision ?? 'none'}>
            {commandLine(words)}
          </code>
        ))}
      </dd>
    </div>
  );
}
