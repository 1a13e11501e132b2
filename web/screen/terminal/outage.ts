// Typing interrupted by a lost connection or an unresponsive gateway: the number of unsent keys, and whether a line is
// half typed.
import type { OutageShown } from '../../state/processes/terminal-state.ts';
import { TypedLine } from './typed-line.ts';
import { numberText } from '../../../text/amounts.ts';

const RECONNECTED_SHOWN_MS = 5000;

/** Reason why keys are not sent: the connection is lost, or the gateway does not respond. */
export type OutageCause = 'cut' | 'silence';

export interface OutageOptions {
  /** Returns true while a program draws the full screen, where no line can be half typed. */
  readonly isFullScreen: () => boolean;
  /** Adds a marker to the pane's view. */
  readonly divide: (text: string) => void;
  readonly show: (shown: Partial<OutageShown>) => void;
}

const NOT_SENT_NOW: { readonly [cause in OutageCause]: string } = {
  cut: 'Offline: keys are not sent.',
  silence: 'Not responding: keys are not sent.',
};

export class Outage {
  readonly #options: OutageOptions;
  readonly #line = new TypedLine();
  #dropped = { cut: 0, silence: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Called with typed text that is being sent. */
  typed(text: string): void {
    if (this.#line.type(text)) this.dismiss();
  }

  /**
   * Called with the number of keys that were not sent. The first call for each cause shows a notice; the totals are
   * shown after the outage.
   */
  drop(keys: number, cause: OutageCause): void {
    if (this.#dropped[cause] === 0) this.#options.show({ outage: NOT_SENT_NOW[cause] });
    this.#dropped[cause] += keys;
  }

  /** Called when the gateway responds again on the same connection. Without dropped keys, nothing was interrupted. */
  responds(): void {
    if (this.#dropped.silence > 0) this.#over({ wasLost: false });
  }

  /** Called when the connection is back; if `isJustNow`, a brief notice is shown too. */
  reconnected(isJustNow: boolean): void {
    const { show } = this.#options;
    this.#over({ wasLost: true });
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

  #over({ wasLost }: { readonly wasLost: boolean }): void {
    const { divide, show, isFullScreen } = this.#options;
    const { cut, silence } = this.#dropped;
    this.#dropped = { cut: 0, silence: 0 };
    const dropped = [
      droppedText(silence, 'while the gateway did not respond'),
      droppedText(cut, 'while offline'),
    ].flatMap((text) => text ?? []);
    const isHalf = this.#line.isHalf && !isFullScreen();
    const half = isHalf ? ['this line is half typed'] : [];
    divide([...(wasLost ? ['reconnected'] : []), ...dropped, ...half].join(' · '));
    if (dropped.length === 0 && !isHalf) return;
    const keys = dropped.join(', and ');
    show({ outage: wasLost ? lostText(keys, isHalf) : checked(`${keys}.`, isHalf) });
  }
}

function droppedText(keys: number, when: string): string | null {
  if (keys === 0) return null;
  return keys === 1
    ? `1 key pressed ${when} was not sent`
    : `${numberText(keys)} keys pressed ${when} were not sent`;
}

function lostText(dropped: string, isHalf: boolean): string {
  const lost = `The connection was lost${isHalf ? ' while you typed a line' : ''}`;
  return checked(dropped === '' ? `${lost}.` : `${lost}: ${dropped}.`, isHalf);
}

const checked = (text: string, isHalf: boolean): string =>
  isHalf ? `${text} Check the line before you press Enter.` : text;
