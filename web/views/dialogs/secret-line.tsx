// A secret or a command, ready to copy. A secret is shown once, and never stored by the page.
import { Copy } from 'lucide-react';
import { useId } from 'react';
import { copyText } from '../../state/page/copy.ts';
import { IconButton } from '../../parts/icon-button.tsx';

interface SecretLineProps {
  readonly label: string;
  /** Object of “Copy” in the name of the button, such as `token`. */
  readonly copies: string;
  readonly text: string;
  /** True for a new secret, whose field gets the focus. */
  readonly isNext?: boolean;
}

export function SecretLine({ label, copies, text, isNext = false }: SecretLineProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="secret-line">
        {/* A textarea shows the whole text, however long it is. */}
        <textarea
          id={id}
          readOnly
          rows={1}
          value={text}
          autoComplete="off"
          autoFocus={isNext}
          spellCheck={false}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <IconButton icon={Copy} label={`Copy ${copies}`} onClick={() => void copyText(text)}>
          Copy
        </IconButton>
      </div>
    </div>
  );
}
