// The whole command, input, file change, HTTP request or tool call of an approval request, in a scrollable
// box.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Approval } from '../../../protocol/approvals.ts';
import { shellQuote } from '../../../text/command-line.ts';
import { isCommand, shownCommand } from '../../state/approvals/request-words.ts';
import { MarkedText } from './marked-text.tsx';
import { numberText } from '../../../text/amounts.ts';

interface RequestCommandProps {
  readonly request: Approval;
  /** False while only the beginning has been loaded from the gateway. */
  readonly isWhole: boolean;
  /** Called when the end of the whole command has come into view, or the box has been expanded. */
  readonly onRead: () => void;
}

export function RequestCommand({ request, isWhole, onRead }: RequestCommandProps) {
  const { kind, input, method, cwd, argv } = request;
  const box = useRef<HTMLPreElement>(null);
  const [isOpened, setOpened] = useState(false);
  const linesBelow = useLinesBelow(box, isOpened);
  const isRead = isWhole && linesBelow === 0;
  useLayoutEffect(() => {
    if (isRead) onRead();
  }, [isRead, onRead]);
  return (
    <div className="request-command-box">
      <pre
        ref={box}
        className="request-command"
        tabIndex={0}
        aria-label={LABELS[kind]}
        data-opened={isOpened}
      >
        {kind === 'input' ? (
          <MarkedText text={input ?? ''} keepsLines />
        ) : isCommand(request) ? (
          <Command request={request} />
        ) : kind === 'tool' ? (
          <Lines text={request.details ?? ''} />
        ) : (
          <>
            <span className="request-wrapper">{method} </span>
            <MarkedText text={cwd} />
            {argv.length > 0 ? <MarkedText text={` ${argv.map(shellQuote).join(' ')}`} /> : null}
          </>
        )}
        {isWhole ? null : <span className="request-wrapper"> … reading the rest</span>}
      </pre>
      {linesBelow === null || linesBelow === 0 ? null : (
        <button type="button" className="request-more" onClick={() => setOpened(true)}>
          {linesBelow === 1 ? 'Show 1 more line' : `Show ${numberText(linesBelow)} more lines`}
        </button>
      )}
    </div>
  );
}

/** Lines of a tool's input. The gateway adds the line ends, so unlike in a command they carry no meaning. */
function Lines({ text }: { readonly text: string }) {
  return text.split('\n').map((line, at) => {
    // The index is a stable key, since the lines of a text keep their order.
    const key = String(at);
    return (
      <span key={key}>
        {at === 0 ? '' : '\n'}
        <MarkedText text={line} />
      </span>
    );
  });
}

/** Empty space in px at the end of the box. */
const PADDING_PX = 8;

/**
 * Returns the number of lines below the visible part of the box, 0 once the box is expanded; null while
 * unknown.
 */
function useLinesBelow(box: RefObject<HTMLElement | null>, isOpened: boolean): number | null {
  const [below, setBelow] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => {
      const { scrollHeight, clientHeight, scrollTop } = element;
      const restPx = scrollHeight - clientHeight - scrollTop - PADDING_PX;
      const lineHeightPx = Number.parseFloat(getComputedStyle(element).lineHeight) || PADDING_PX * 2;
      setBelow(restPx <= 0 ? 0 : Math.ceil(restPx / lineHeightPx));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  });
  return isOpened ? 0 : below;
}

const LABELS: { readonly [kind in Approval['kind']]: string } = {
  start: 'Command to run',
  input: 'Text to type',
  file: 'Changes',
  request: 'Text to send',
  tool: 'Tool call to run',
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
