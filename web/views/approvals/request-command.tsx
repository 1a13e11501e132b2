// The whole command, input or signal of a request, byte for byte, in a box that its text cannot leave.
import type { Approval } from '../../../protocol/approvals.ts';
import { shellQuote } from '../../../text/command-line.ts';
import { isCommand, shownCommand } from '../../state/approvals/request-words.ts';
import { MarkedText } from './marked-text.tsx';

/** `isWhole` false: only its beginning has been read. */
export function RequestCommand({
  request,
  isWhole,
}: {
  readonly request: Approval;
  readonly isWhole: boolean;
}) {
  const { kind, input, method, cwd, argv } = request;
  return (
    <pre className="request-command" tabIndex={0} aria-label={LABELS[kind]}>
      {kind === 'input' ? (
        <MarkedText text={input ?? ''} keepsLines />
      ) : isCommand(request) ? (
        <Command request={request} />
      ) : kind === 'tool' ? (
        <MarkedText text={request.details ?? ''} keepsLines />
      ) : (
        <>
          <span className="request-wrapper">{method} </span>
          <MarkedText text={cwd} />
          {argv.length > 0 ? <MarkedText text={` ${argv.map(shellQuote).join(' ')}`} /> : null}
        </>
      )}
      {isWhole ? null : <span className="request-wrapper"> … reading the rest</span>}
    </pre>
  );
}

const LABELS: { readonly [kind in Approval['kind']]: string } = {
  start: 'What would run',
  input: 'What would be typed',
  file: 'What would change',
  request: 'What would be sent',
  tool: 'What a tool would do',
};

function Command({ request }: { readonly request: Approval }) {
  const { wrapper, runs } = shownCommand(request);
  return (
    <>
      {wrapper === '' ? null : (
        <span className="request-wrapper">
          <MarkedText text={wrapper} />
          {'\n'}
        </span>
      )}
      <MarkedText text={runs} keepsLines />
    </>
  );
}
