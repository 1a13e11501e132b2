// A paste waiting for confirmation; only one at a time.
import { createStore } from 'zustand/vanilla';

interface Pending {
  readonly processKey: string;
  /** Text without control characters. */
  readonly text: string;
}

export const pasteStore = createStore<{ readonly pending: Pending | null }>(() => ({ pending: null }));

export const askPaste = (pending: Pending): void => pasteStore.setState({ pending });
export const forgetPaste = (): void => pasteStore.setState({ pending: null });
