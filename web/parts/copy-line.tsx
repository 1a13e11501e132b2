// A command line to be copied.
import { Copy } from 'lucide-react';
import { copyText } from '../state/page/copy.ts';
import { IconButton } from './icon-button.tsx';

interface CopyLineProps {
  readonly text: string;
  /** The name of the button; without one there is none. */
  readonly label: string | null;
}

export function CopyLine({ text, label }: CopyLineProps) {
  return (
    <div className="connect-line">
      <pre>{text}</pre>
      {label === null ? null : <IconButton icon={Copy} label={label} onClick={() => void copyText(text)} />}
    </div>
  );
}
