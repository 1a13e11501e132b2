// Hook that retains a decided request while its message is being typed: the remaining letters must not act as
// shortcuts of the page.
import { useEffect, useState, type FocusEvent } from 'react';
import { holdDecided } from '../../state/approvals/approvals-store.ts';

interface Typing {
  /** True while the message field has the focus. */
  readonly isTyping: boolean;
  /** Props of the element around the request. */
  readonly watched: { readonly onFocus: (event: FocusEvent) => void; readonly onBlur: () => void };
}

export function useTyping(id: string): Typing {
  const [isTyping, setTyping] = useState(false);
  useEffect(() => (isTyping ? holdDecided(id) : undefined), [id, isTyping]);
  return {
    isTyping,
    watched: {
      onFocus: ({ target }) => setTyping(target instanceof HTMLInputElement && target.type === 'text'),
      onBlur: () => setTyping(false),
    },
  };
}
