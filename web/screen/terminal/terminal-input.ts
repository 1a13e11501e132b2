// What a person does to a terminal by keyboard, clipboard and fingers, on its way to the process.
import { internalsFor } from '../../../text/xterm-internals.ts';
import type { Terminal } from '@xterm/xterm';
import type { RemoteProcess } from '../../../client/exec-client.ts';
import { StateReports } from './state-reports.ts';
import { flash } from './flash.ts';
import { platform } from '../../state/page/platform.ts';
import { giveCopies, handleKey, takePastes } from './copy-and-paste.ts';
import { askPaste } from '../../state/page/paste-store.ts';
import { lineCount, MOST_PASTED_CHARS, safePaste } from './paste.ts';
import type { ProgramKeys } from './program-keys.ts';
import { controlled, KEY_NAMES, screenKey, type ScreenKey } from './screen-keys.ts';
import { Typing, type TypingOptions } from './typing.ts';

const INTERRUPT_KEY = '\u0003';

export interface TerminalInputOptions extends Omit<TypingOptions, 'withCtrl' | 'report'> {
  readonly terminal: Terminal;
  readonly programKeys: ProgramKeys;
  readonly process: RemoteProcess;
  readonly isTty: boolean;
  /** Whether what is being parsed has just been printed. */
  readonly isLive: () => boolean;
  /** Whether what was selected has gone by itself, and nothing was done since. */
  readonly takeGoneSelection: () => boolean;
  /** Whether the person here started the process. */
  readonly isOwn: () => boolean;
  /** What lights up where something was pasted, and is clicked into. */
  readonly element: HTMLElement;
}

/** Inside xterm.js: an event before each `onData` of what a person has done. */
export class TerminalInput {
  readonly #options: TerminalInputOptions;
  readonly #typing: Typing;
  /** Of the terminal's state. */
  readonly reports: StateReports;
  #isClickedInto = false;

  /** Before the terminal is opened. */
  constructor(options: TerminalInputOptions) {
    const { terminal, programKeys, isTty, takeGoneSelection, hint, element } = options;
    this.#options = options;
    this.#typing = new Typing({
      ...options,
      report: (data) => this.reports.report(data),
      withCtrl: (data) => programKeys.withCtrl(data) ?? controlled(data),
    });
    this.reports = new StateReports({
      terminal,
      isLive: options.isLive,
      isControlled: () => options.process.controlled,
      mayType: options.mayType,
      send: (report) => this.#typing.report(report),
    });
    let isTyped = false;
    // All input counts as typed when xterm.js does not tell which is.
    const internals = internalsFor(terminal, 'typed');
    internals?.coreService.onUserInput(() => (isTyped = true));
    terminal.onData((data) => {
      const wasTyped = isTyped || !internals;
      isTyped = false;
      this.#typing.data(data, wasTyped);
    });
    terminal.onBinary((data) => this.#typing.binary(data));
    element.addEventListener('pointerdown', () => (this.#isClickedInto = true));
    element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) this.#isClickedInto = false;
    });
    const interrupt = (): void => this.interruptByKey();
    const keys = { terminal, platform, isTty, takeGoneSelection, hint, interrupt };
    terminal.attachCustomKeyEventHandler(
      (event) => handleKey(event, keys) && programKeys.handle(event, platform),
    );
  }

  /** A key alone ends nothing that somebody else started and that has only been opened. */
  interruptByKey(): void {
    if (this.#isClickedInto || this.#options.isOwn()) this.#typing.interrupt();
    else this.#options.hint('Not interrupted: click into the output first, or press Interrupt');
  }

  /** Takes what the clipboard gives within an element, and gives it what is selected there. */
  listen(element: HTMLElement): void {
    takePastes(element, (text) => this.paste(text));
    giveCopies(element, this.#options.terminal);
  }

  /** Several lines that would act one by one are shown to the person first. */
  paste(text: string): void {
    const { terminal, process, mayType, notify } = this.#options;
    const safe = safePaste(text);
    if (safe === '') return;
    if (!mayType()) this.pasteNow(safe);
    else if (safe.length > MOST_PASTED_CHARS) {
      notify(`Not pasted: ${safe.length.toLocaleString('en')} characters are too many.`);
    } else if (lineCount(safe) > 1 && !terminal.modes.bracketedPasteMode) {
      askPaste({ processKey: process.key, text: safe });
    } else this.pasteNow(safe);
  }

  pasteNow(text: string): void {
    const { terminal, isTty, element, mayType, refused } = this.#options;
    if (!mayType()) return refused(Array.from(text).length);
    flash(element, 'var(--accent)');
    if (isTty) terminal.paste(text);
    else this.#typing.line(text);
  }

  /** What was written in peace, as one write; `hasEnter`: and the key that ends a line. */
  typeLine(text: string, hasEnter: boolean): void {
    this.#typing.line(`${safePaste(text).replaceAll(/\r?\n/g, '\r')}${hasEnter ? '\r' : ''}`);
  }

  /** A key that the keyboard at hand has not. */
  press(key: ScreenKey): void {
    const { programKeys, terminal } = this.#options;
    const plain = screenKey(key, terminal.modes.applicationCursorKeysMode);
    this.#typing.data(programKeys.spelt({ key: KEY_NAMES[key] }) ?? plain);
  }

  /** As Ctrl-C does: a key for a terminal, a signal where there is none. */
  pressInterrupt(): void {
    const { isTty, programKeys } = this.#options;
    if (isTty) this.#typing.data(programKeys.spelt({ key: 'c', ctrlKey: true }) ?? INTERRUPT_KEY);
    else this.#typing.interrupt();
  }

  holdCtrl(isHeld: boolean): void {
    this.#typing.holdCtrl(isHeld);
  }
}
