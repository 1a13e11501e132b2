// A command line with a button that copies it.
import { Copy } from 'lucide-react';
import { copyText } from '../state/page/copy.ts';
import { IconButton } from './icon-button.tsx';

interface CopyLineProps {
  readonly text: string;
  /** Label of the button; null: no button. */
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
