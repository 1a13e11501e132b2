// The whole command, input, file change, HTTP request or tool call of an approval request, in a scrollable
// box.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { Approval } from '../../../protocol/approvals.ts';
import { shellQuote } from '../../../text/command-line.ts';
import { isCommand, shownCommand } from '../../state/approvals/request-words.ts';
import { MarkedText } from './marked-text.tsx';
import { numberText } from '../../../text/amounts.ts';

interface RequestCommandProps {
  readonly request: Approval;
  /** False while only the beginning has been loaded from the gateway. */
  readonly isWhole: boolean;
  /** Called when the whole command fits into the box, or its end has come into view. */
  readonly onRead: () => void;
}

export function RequestCommand({ request, isWhole, onRead }: RequestCommandProps) {
  const { kind, input, method, cwd, argv } = request;
  const box = useRef<HTMLPreElement>(null);
  const [isOpened, setOpened] = useState(false);
  const end = useRef<HTMLSpanElement>(null);
  const { linesBelow, fits } = useBoxSize(box);
  // An expanded box shows all lines but may be taller than the screen, so its end must come into view.
  const isRead = isWhole && fits && !isOpened;
  useLayoutEffect(() => {
    if (isRead) onRead();
  }, [isRead, onRead]);
  useEndInView(end, isWhole ? onRead : null);
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
        <span ref={end} className="request-end" />
      </pre>
      {isOpened || linesBelow === 0 ? null : (
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

interface BoxSize {
  /** Number of lines below the visible part of the box. */
  readonly linesBelow: number;
  /** True when the box shows all lines without scrolling. */
  readonly fits: boolean;
}

function useBoxSize(box: RefObject<HTMLElement | null>): BoxSize {
  const [linesBelow, setLinesBelow] = useState(0);
  const [fits, setFits] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => {
      const { scrollHeight, clientHeight, scrollTop } = element;
      const hiddenPx = scrollHeight - clientHeight - PADDING_PX;
      const restPx = hiddenPx - scrollTop;
      const lineHeightPx = Number.parseFloat(getComputedStyle(element).lineHeight) || PADDING_PX * 2;
      setLinesBelow(restPx <= 0 ? 0 : Math.ceil(restPx / lineHeightPx));
      setFits(hiddenPx <= 0);
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
  return { linesBelow, fits };
}

/** Calls `onInView` when the element is in the visible part of its box, of the list of requests and of the window. */
function useEndInView(end: RefObject<HTMLElement | null>, onInView: (() => void) | null): void {
  useEffect(() => {
    if (!end.current || !onInView) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onInView();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end, onInView]);
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
