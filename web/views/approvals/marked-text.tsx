// Text chosen by an agent, with each hidden character shown as an unmistakable escape.
import { visibleParts } from '../../../text/visible.ts';

/** `keepsLines`: line breaks remain, each after a mark. */
export function MarkedText({
  text,
  keepsLines = false,
}: {
  readonly text: string;
  readonly keepsLines?: boolean;
}) {
  return visibleParts(text).map((part, at) => {
    // Parts of a text never change places.
    const key = String(at);
    if (!part.isEscape) return <span key={key}>{part.text}</span>;
    return (
      <mark key={key} className="escape">
        {keepsLines ? part.text.replaceAll('\\n', '\\n\n') : part.text}
      </mark>
    );
  });
}
