// A hook for the message of a request that is decided meanwhile: the rest of the words must not become keys of the page.
import { useEffect, useState, type FocusEvent } from 'react';
import { holdDecided } from '../../state/approvals/approvals-store.ts';

interface Typing {
  /** True while the message field has the focus. */
  readonly isTyping: boolean;
  /** Props of the element around the request. */
  readonly watched: { readonly onFocus: (event: FocusEvent) => void; readonly onBlur: () => void };
}

/** Holds the request in the page, also once it is decided, while its message is being typed. */
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
