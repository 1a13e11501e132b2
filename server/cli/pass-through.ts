// Connects a process to this terminal (or pipe, or file) as if it ran here: output, input, size and signals.
import { errorText } from '../../text/error-text.ts';
import { missingHereText } from '../../text/missing-output.ts';
import type {
  Output,
  OutputSink,
  RemoteProcess,
  RequestError,
  WriteOutcome,
} from '../../client/exec-client.ts';
import { ExactScreen } from '../../client/exact-screen.ts';
import type { Part } from './allowed-sequences.ts';
import { listenToCuts, type Gateway } from './connect.ts';
import type { DetachKeys } from './detach-keys.ts';
import { FocusReports } from './focus-reports.ts';
import { onEndingSignal } from './ending-signals.ts';
import { CommandFailed, ExitCode, type EndingSignal } from './exit-codes.ts';
import { pumpInput } from './input-pump.ts';
import { Keyboard } from './keyboard.ts';
import { LocalTerminal } from './local-terminal.ts';
import { printNote } from './notes.ts';
import { OutputWriter } from './output-writer.ts';

/** Quiet time that ends the wait for output from children, after the exit of a program on a terminal. */
const QUIET_MS = 300;
/** Maximum wait for output after the exit, since a child may print without a pause. */
const LAST_WORDS_MS = 5000;

/** The way in which this command's connection to the process ends. */
export type Ending =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'detached' }
  | { readonly kind: 'signalled'; readonly signal: EndingSignal }
  | { readonly kind: 'brokenPipe' };

export interface PassThroughOptions {
  readonly gateway: Gateway;
  readonly remote: RemoteProcess;
  readonly tty: boolean;
  readonly input: 'all' | 'detachKeysOnly' | 'none';
  /** True when the end of stdin also ends the stdin of the process. */
  readonly passesEnd: boolean;
  readonly detachKeys: DetachKeys;
  /** True when the process existed before, and its screen must be drawn. */
  readonly hasScreen: boolean;
  /** Signal that arrived before the start of the process completed; null when there was none. */
  readonly early: EndingSignal | null;
  /** Handles a signal to this command; resolves with null when the command continues. */
  readonly onSignal: (signal: EndingSignal) => Promise<Ending | null>;
}

export class PassThrough implements OutputSink {
  readonly #options: PassThroughOptions;
  readonly #terminal = new LocalTerminal();
  readonly #writer: OutputWriter;
  readonly #focus: FocusReports;
  readonly #screen: ExactScreen | null;
  #exitCode: number | null = null;
  #exitedAtMs = 0;
  /** True once no more output is expected; received output may still have to be drawn. */
  #isOver = false;
  #hasDrawn = false;
  #quietTimer: NodeJS.Timeout | null = null;
  #end: (ending: Ending) => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;
  readonly #undo: (() => void)[] = [];

  constructor(options: PassThroughOptions) {
    this.#options = options;
    const { gateway, remote, tty } = options;
    this.#focus = new FocusReports({
      isControlled: () => options.input === 'all' && remote.controlled,
      // The write fails if the process or the connection has just ended.
      send: (report) => void remote.write(report).catch(() => undefined),
    });
    this.#writer = new OutputWriter({
      shape: (output) => this.#shape(output),
      broken: () => this.#end({ kind: 'brokenPipe' }),
    });
    this.#screen =
      tty && process.stdout.isTTY
        ? new ExactScreen({
            key: remote.key,
            connection: gateway.client.connection,
            // A gap redraws only the screen: this terminal's scrollback already has the earlier output.
            scrollbackAtGap: 0,
            draw: ({ data }) => {
              this.#draw(data);
              this.#focus.printed(data);
              this.#focus.look();
            },
            give: (output, drawn) => this.#give(output, drawn),
          })
        : null;
  }

  /** Resolves with the ending once the terminal is restored and, after an exit, all output has been written. */
  async run(): Promise<Ending> {
    const { gateway, remote, hasScreen, early } = this.#options;
    const over = this.#ended();
    let ending: Ending | null = null;
    try {
      this.#undo.push(
        listenToCuts(gateway, {
          lost: (reason) => printNote(`the connection was lost (${reason}); reconnecting`),
          back: () => printNote('reconnected'),
          givenUp: (error) => this.#fail(error),
        }),
      );
      this.#undo.push(onEndingSignal((signal) => this.#signalled(signal)));
      this.#takeInput();
      if (hasScreen) this.#screen?.refresh();
      this.#undo.push(remote.follow(this));
      if (early) this.#signalled(early);
      ending = await over;
      if (ending.kind === 'detached') this.#focus.left();
      if (ending.kind === 'exited') {
        await this.#untilDrawn();
        await this.#writer.flushed();
        if (this.#writer.isBroken) ending = { kind: 'brokenPipe' };
      }
      return ending;
    } finally {
      for (const undo of this.#undo.toReversed()) undo();
      if (this.#quietTimer) clearTimeout(this.#quietTimer);
      this.#screen?.stop();
      this.#terminal.restore();
      // Later messages must begin on a new line.
      const isMidLine = ending?.kind === 'detached' || (this.#screen && ending?.kind !== 'exited');
      if (isMidLine && process.stderr.isTTY) process.stderr.write('\n');
      this.#writer.stop();
    }
  }

  output(output: Output, drawn: () => void): void {
    this.#expectQuiet();
    if (this.#screen) this.#focus.printed(output.bytes);
    if (this.#screen) this.#screen.output(output, drawn);
    else this.#give(output, drawn);
  }

  gap({ nextSeq, bytes }: { readonly nextSeq: number; readonly bytes: number }): void {
    if (this.#screen) this.#screen.gap(nextSeq);
    else printNote(missingHereText(bytes));
  }

  resized(): void {
    // The local terminal keeps its own size.
  }

  exited({ exitCode }: { readonly exitCode: number }): void {
    this.#exitCode = exitCode;
    this.#exitedAtMs = performance.now();
    this.#expectQuiet();
  }

  closed(): void {
    if (this.#isOver) return;
    this.#end({ kind: 'exited', exitCode: this.#exitCode ?? ExitCode.failed });
  }

  reconnected(): void {
    // A refresh also removes the messages about the connection.
    this.#screen?.refresh(0);
  }

  refused(error: RequestError): void {
    // A refusal is harmless once no more output is expected: the received output is still drawn.
    if (this.#isOver) return;
    this.#fail(
      new CommandFailed(
        ExitCode.connectionLost,
        `the gateway no longer sends the output of the process: ${errorText(error)}`,
      ),
    );
  }

  /** Resolves with the next ending; rejects with the next failure. */
  #ended(): Promise<Ending> {
    return new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  }

  /**
   * Resolves when the last output is drawn, which may need a screen that the gateway has not sent yet; a signal ends
   * the wait.
   */
  async #untilDrawn(): Promise<void> {
    if (!this.#screen) return;
    this.#isOver = true;
    const left = this.#ended().then(() => printNote('the end of the output could not be shown'));
    await Promise.race([this.#screen.settled(), left]);
  }

  #expectQuiet(): void {
    if (this.#exitCode === null || !this.#options.tty) return;
    if (this.#quietTimer) clearTimeout(this.#quietTimer);
    const leftMs = this.#exitedAtMs + LAST_WORDS_MS - performance.now();
    this.#quietTimer = setTimeout(() => this.closed(), Math.min(QUIET_MS, leftMs));
  }

  #give(output: Output, drawn: () => void): void {
    this.#writer.write(output, drawn);
  }

  #shape({ bytes, stream, live }: Output): Uint8Array {
    const part = this.#part;
    // Only the terminal in control replies to queries, and only to those in live output.
    const isAsked = live && part === 'controlling';
    return this.#terminal.shown(
      bytes,
      stream === 'stderr' ? 'stderr' : 'stdout',
      isAsked ? 'answering' : part,
    );
  }

  /**
   * Returns the part that this terminal plays: `watching` unless the process runs on a terminal and receives the keys
   * that are typed in this one.
   */
  get #part(): Part {
    const { remote, input, tty } = this.#options;
    if (!tty || input !== 'all' || !process.stdin.isTTY) return 'watching';
    return remote.controlled ? 'controlling' : 'typing';
  }

  #draw(data: Uint8Array): void {
    const { rows } = this.#terminal.size;
    // Earlier content of the terminal moves to its scrollback.
    const scroll = this.#hasDrawn ? '' : `\u001b[${rows};1H${'\n'.repeat(rows)}`;
    this.#hasDrawn = true;
    process.stdout.write(`${this.#terminal.undo()}\u001b[m${scroll}\u001b[H\u001b[2J`);
    process.stdout.write(this.#terminal.shown(data, 'stdout', this.#part));
  }

  #takeInput(): void {
    const { gateway, remote, tty, input, passesEnd, detachKeys } = this.#options;
    const { connection } = gateway.client;
    const fail = (error: unknown): void =>
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    if (tty && process.stdin.isTTY && input !== 'none') {
      this.#terminal.enterRaw(() => this.#screen?.refresh(0));
      const keyboard = new Keyboard({
        connection,
        detachKeys,
        write: input === 'all' ? (bytes) => this.#type(bytes) : null,
        left: () => this.#end({ kind: 'detached' }),
        failed: fail,
      });
      this.#undo.push(keyboard.listen());
      this.#followSize();
    } else if (input === 'all') {
      pumpInput({ remote, connection, passesEnd, tty }).catch(fail);
    }
  }

  async #type(bytes: Uint8Array): Promise<WriteOutcome> {
    const typed = this.#focus.typed(bytes);
    return typed.length === 0 ? 'accepted' : this.#options.remote.write(typed);
  }

  /** Applies the size of this terminal to the process whenever this command is in control. */
  #followSize(): void {
    const { gateway, remote } = this.#options;
    const { processes } = gateway.client;
    const fit = (): void => {
      if (this.#hasDrawn) this.#focus.look();
      const { rows, cols } = this.#terminal.size;
      const size = processes.get(remote.key)?.size;
      if (!remote.controlled || !size || (size.rows === rows && size.cols === cols)) return;
      // The resize fails if control or the connection has just been lost; the size is sent again when they return.
      remote.resize({ rows, cols }).catch(() => undefined);
    };
    this.#undo.push(this.#terminal.onResize(fit), processes.onChanged(fit));
    fit();
  }

  #signalled(signal: EndingSignal): void {
    const { gateway, onSignal, detachKeys } = this.#options;
    if (this.#isOver) this.#end({ kind: 'signalled', signal });
    // The program has exited, and this command only waits for output of processes that the program left behind.
    else if (this.#exitCode !== null) this.closed();
    else if (gateway.client.connection.state.kind !== 'online') this.#end({ kind: 'signalled', signal });
    else if (signal === 'SIGQUIT' && process.stdin.isTTY && detachKeys.isQuit)
      this.#end({ kind: 'detached' });
    else {
      onSignal(signal).then(
        (ending) => ending && this.#end(ending),
        (error: unknown) => {
          printNote(`the signal did not reach the process: ${errorText(error)}`);
          this.#end({ kind: 'signalled', signal });
        },
      );
    }
  }
}
