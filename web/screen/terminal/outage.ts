// Typing that a lost connection interrupts: how many keys were not sent, and whether a line is half typed.
import type { OutageShown } from '../../state/processes/terminal-state.ts';

const RECONNECTED_SHOWN_MS = 5000;

export interface OutageOptions {
  /** Whether a program draws the whole screen: there are no lines to finish then. */
  readonly isFullScreen: () => boolean;
  /** Marks the place in the output. */
  readonly divide: (text: string) => void;
  readonly show: (shown: Partial<OutageShown>) => void;
}

/** What a line ends with, or is given up with: Enter, Ctrl+C, Ctrl+D, Ctrl+U. */
// oxlint-disable-next-line no-control-regex
const LAST_LINE_END = /[\r\n\u0003\u0004\u0015](?!.*[\r\n\u0003\u0004\u0015])/s;

export class Outage {
  readonly #options: OutageOptions;
  /** Whether anything was typed after the last line end. */
  #isHalf = false;
  #dropped = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Keys that were sent. */
  typed(text: string): void {
    const end = LAST_LINE_END.exec(text);
    this.#isHalf = end ? end.index + 1 < text.length : this.#isHalf || text !== '';
    if (end) this.dismiss();
  }

  /** Keys that were pressed while the page was offline. */
  drop(keys: number): void {
    this.#dropped += keys;
  }

  /** The connection is back; `isJustNow`: and a person is looking. */
  reconnected(isJustNow: boolean): void {
    const { divide, show, isFullScreen } = this.#options;
    const dropped = this.#dropped === 0 ? null : droppedText(this.#dropped);
    const half = this.#isHalf && !isFullScreen() ? 'the line above is half typed' : null;
    this.#dropped = 0;
    divide(['reconnected', dropped, half].filter((part) => part !== null).join(' · '));
    if (dropped !== null || half !== null) show({ outage: outageText(dropped, half !== null) });
    if (!isJustNow) return;
    show({ hasJustReconnected: true });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => show({ hasJustReconnected: false }), RECONNECTED_SHOWN_MS);
  }

  dismiss(): void {
    this.#options.show({ outage: null });
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}

function droppedText(keys: number): string {
  return keys === 1
    ? '1 key pressed offline was not sent'
    : `${keys.toLocaleString('en')} keys pressed offline were not sent`;
}

function outageText(dropped: string | null, isHalf: boolean): string {
  const lost = `The connection was lost${isHalf ? ' while you typed a line' : ''}`;
  const what = dropped === null ? `${lost}.` : `${lost}: ${dropped}.`;
  return isHalf ? `${what} Check the line before you press Enter.` : what;
}
