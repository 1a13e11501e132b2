// Terminal state that is reported without a query: focus, a pressed mouse button, and the colour scheme. Only the
// controlling page reports it. A page that gains control also reports its focus and colour scheme; one that loses
// control reverts a pressed button and, unless another page takes over, its focus.
import type { Terminal } from '@xterm/xterm';
import { internalsFor } from '../../../text/xterm-internals.ts';

const FOCUS_MODE = 1004;
const FOCUS_IN = '\u001b[I';
const FOCUS_OUT = '\u001b[O';
/* oxlint-disable no-control-regex -- these are control sequences */
/** A press or release of a button, excluding motion and wheel. */
const SGR_BUTTON = /^\u001b\[<([0-9]|1[0-9]|2[0-9]|3[01]);\d+;\d+([Mm])$/;
const MOUSE = /^\u001b\[(?:M|<)/;
/* oxlint-enable no-control-regex */

/** Bits of the button in a report; the others are modifier keys, which may change before the release. */
const BUTTON_BITS = 3;

/** Controller of a process: this page, nobody, or another page, whose terminal reports its own state. */
export type Controller = 'own' | 'nobody' | 'other';

export interface StateReportsOptions {
  readonly terminal: Terminal;
  /** Returns true while the bytes being parsed are new. */
  readonly isLive: () => boolean;
  readonly isControlled: () => boolean;
  /** Returns true when the person may type; mouse events are reported only then, except the release after a press. */
  readonly mayType: () => boolean;
  readonly send: (report: string) => void;
}

export class StateReports {
  readonly #options: StateReportsOptions;
  /** Focus last reported to the program; null means unknown. */
  #reportedFocus: boolean | null = false;
  /** Reports of pressed buttons whose release was not sent yet, by button. */
  readonly #down = new Map<number, string>();
  #controller: Controller = 'nobody';

  constructor(options: StateReportsOptions) {
    this.#options = options;
    // A program that enables focus reports expects the current state.
    options.terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
      if (params.includes(FOCUS_MODE) && options.isLive()) this.#reportedFocus = null;
      return false;
    });
  }

  /** Handles a report from the terminal (see `isReport`); sends nothing unless this page has control. */
  report(data: string): void {
    if (!this.#options.isControlled()) return;
    if (data === FOCUS_IN || data === FOCUS_OUT) this.#reportFocus(data === FOCUS_IN);
    else if (!isMouse(data) || this.#options.mayType() || this.#isReleaseOf(data)) this.#send(data);
  }

  /** Called with the controller of the process, whenever it is reported. */
  controllerIs(controller: Controller): void {
    const before = this.#controller;
    this.#controller = controller;
    if (controller === before) return;
    if (before === 'own') this.#takeBack(controller);
    if (controller === 'other') this.#reportedFocus = null;
    if (controller === 'own') this.#assert();
  }

  /** Reverts the reported state; call this when the terminal is closed or the page is left. */
  end(): void {
    if (this.#controller === 'own') this.#takeBack('nobody');
  }

  /** Returns true for the release of a button whose press was reported to the program. */
  #isReleaseOf(report: string): boolean {
    const { button, change } = buttonIn(report);
    return change === 'm' && this.#down.has(button);
  }

  #assert(): void {
    const { terminal } = this.#options;
    if (terminal.modes.sendFocusMode) this.#reportFocus(hasFocus(terminal));
    const internals = internalsFor(terminal, 'scheme');
    if (internals?.coreService.decPrivateModes.colorSchemeUpdates) internals['_reportColorScheme']();
  }

  /**
   * Reverts the reported state. The focus is left alone when another page takes over, whose terminal may already have
   * reported its focus.
   */
  #takeBack(next: Controller): void {
    for (const press of this.#down.values()) this.#send(press.replace(/M$/, 'm'));
    const isOn = this.#options.terminal.modes.sendFocusMode;
    if (next === 'nobody' && isOn && this.#reportedFocus === true) this.#reportFocus(false);
  }

  #reportFocus(isIn: boolean): void {
    if (isIn === this.#reportedFocus) return;
    this.#reportedFocus = isIn;
    this.#send(isIn ? FOCUS_IN : FOCUS_OUT);
  }

  #send(report: string): void {
    const { button, change } = buttonIn(report);
    if (change === 'M') this.#down.set(button, report);
    if (change === 'm') this.#down.delete(button);
    this.#options.send(report);
  }
}

/** Returns the button and `M` for its press or `m` for its release; `change` is undefined for any other report. */
function buttonIn(report: string): { readonly button: number; readonly change: string | undefined } {
  const [, code, change] = SGR_BUTTON.exec(report) ?? [];
  return { button: Number(code) & BUTTON_BITS, change };
}

const isMouse = (report: string): boolean => MOUSE.test(report);

const hasFocus = ({ element }: Terminal): boolean =>
  document.hasFocus() && (element?.contains(document.activeElement) ?? false);
