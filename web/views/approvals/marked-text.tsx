// Text chosen by an agent, with each hidden character shown as an unmistakable escape.
import { visibleParts } from '../../../text/visible.ts';

/** `keepsLines`: line breaks remain, each after its escape. */
export function MarkedText({
  text,
  keepsLines = false,
}: {
  readonly text: string;
  readonly keepsLines?: boolean;
}) {
  return visibleParts(text).map((part, at) => {
    // The index is a stable key, since the parts of a text keep their order.
    const key = String(at);
    if (!part.isEscape) return <span key={key}>{part.text}</span>;
    return (
      <mark key={key} className="escape">
        {keepsLines ? part.text.replaceAll('\\n', '\\n\n') : part.text}
      </mark>
    );
  });
}
