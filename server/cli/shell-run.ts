// Runs one command of an agent in the gateway as if it ran here: pipes or terminal, exit code, signals,
// background jobs.
import { setTimeout } from 'node:timers/promises';
import { RequestError, type WriteOutcome } from '../../client/exec-client.ts';
import type { OwnProcess } from '../../client/own-process.ts';
import { SessionClient } from '../../client/session-client.ts';
import { errorText } from '../../text/error-text.ts';
import { NOT_FOUND, startRefusalReason } from '../../text/start-refusal.ts';
import { aroundMetadata, type AgentAround } from './agent-around.ts';
import { onAgentGone } from './agent-gone.ts';
import { ask } from './ask.ts';
import { listenToCuts, socketTo } from './connect.ts';
import { areJoined, hasInput, isInTerminal } from './descriptors.ts';
import { PASSED_ON, onEndingSignal } from './ending-signals.ts';
import { CommandFailed, ExitCode, SIGNAL_CODES, type EndingSignal } from './exit-codes.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { GivenOutput } from './given-output.ts';
import { pumpInput } from './input-pump.ts';
import { printNote } from './notes.ts';
import { startPrinter } from './shell-rest.ts';

/** Time after the exit in which output usually ends, and the interval between checks for remaining output. */
const CLOSE_MS = 100;
/** Maximum number of checks before a background job that prints without a pause is left running. */
const MOST_LOOKS = 50;
/** Time after which a note is printed for the agent that its command, or its first input, waits for approval. */
const WAITING_MS = 3000;

/** Time between SIGTERM and SIGKILL for a command whose agent has exited. */
const GRACE_MS = 2000;

export type ShellEnding =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals };

export interface ShellCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly agent: AgentAround;
  readonly callId: string | null;
  readonly label: string | null;
}

/** Thrown when no gateway replies, so nothing was started. */
export class GatewayAway extends Error {}

/** Resolves with the ending of the command; throws GatewayAway, or CommandFailed with the message for the agent. */
export async function runInGateway(address: GatewayAddress, command: ShellCommand): Promise<ShellEnding> {
  const client = new SessionClient({ socket: () => socketTo(address), clientName: command.agent.name });
  await client.open().catch((error: unknown) => whyNotOpen(address, error as Error));
  return new ShellRun(client, address, command).ending();
}

/**
 * Throws the reason for a refusal, requested over HTTP, since a WebSocket does not report it; GatewayAway
 * when the gateway does not refuse.
 */
async function whyNotOpen(address: GatewayAddress, error: Error): Promise<never> {
  const cause = await ask(address, 'GET', '/auth/identity').then(
    () => error,
    (failure: unknown) => failure,
  );
  if (cause instanceof CommandFailed && cause.exitCode !== ExitCode.noGateway) throw cause;
  throw new GatewayAway((cause as Error).message, { cause });
}

class ShellRun {
  readonly #client: SessionClient;
  readonly #address: GatewayAddress;
  readonly #command: ShellCommand;
  readonly #tty = isInTerminal();
  readonly #sent = new Set<EndingSignal>();
  readonly #undo: (() => void)[] = [];
  #process: OwnProcess | null = null;
  #isInputWaiting = false;
  #fail: (error: Error) => void = () => undefined;

  constructor(client: SessionClient, address: GatewayAddress, command: ShellCommand) {
    this.#client = client;
    this.#address = address;
    this.#command = command;
  }

  async ending(): Promise<ShellEnding> {
    const failed = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    this.#undo.push(
      onEndingSignal((signal) => this.#signalled(signal)),
      onAgentGone(() => this.#agentGone()),
    );
    try {
      const started = await Promise.race([failed, this.#started()]);
      this.#process = started;
      this.#undo.push(this.#listenToCuts());
      for (const signal of this.#sent) this.#send(signal);
      this.#takeInput(started);
      return this.#endingOf(await Promise.race([failed, this.#ended(started)]));
    } catch (error) {
      if (error instanceof Signalled) return { kind: 'signalled', signal: error.signal };
      throw error;
    } finally {
      for (const undo of this.#undo.toReversed()) undo();
      this.#client.close();
    }
  }

  async #started(): Promise<OwnProcess> {
    const { argv, cwd, env, agent, callId, label } = this.#command;
    const waits = globalThis.setTimeout(() => printNote('waiting for approval in the console'), WAITING_MS);
    const { rows, columns: cols } = process.stdout;
    try {
      return await this.#client.start({
        argv,
        cwd,
        env,
        envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] },
        tty: this.#tty,
        ...(this.#tty && { size: { rows: rows || 24, cols: cols || 80 } }),
        pipeStdin: !this.#tty && hasInput(),
        joinStderr: !this.#tty && areJoined(),
        // A remote gateway may be unreachable for a while; the connection to a local one is lost only when
        // this command or the gateway ends.
        endsWithConnection: this.#address.pid !== null,
        metadata: aroundMetadata({ ...agent, callId }),
        ...(label !== null && { label }),
      });
    } catch (error) {
      throw refusal(error);
    } finally {
      clearTimeout(waits);
    }
  }

  #listenToCuts(): () => void {
    return listenToCuts(
      { client: this.#client, address: this.#address },
      { lost: () => undefined, back: () => undefined, givenUp: (error) => this.#fail(error) },
    );
  }

  #takeInput(remote: OwnProcess): void {
    const { stdin, stdout } = process;
    if (this.#tty) {
      stdin.setRawMode(true);
      const resized = (): void => {
        remote.resize({ rows: stdout.rows || 24, cols: stdout.columns || 80 }).catch(() => undefined);
      };
      stdout.on('resize', resized);
      this.#undo.push(
        () => stdin.setRawMode(false),
        () => stdout.off('resize', resized),
      );
    } else if (!hasInput()) return;
    pumpInput({
      remote: this.#notedInput(remote),
      connection: this.#client.connection,
      passesEnd: true,
      tty: this.#tty,
    }).catch(
      // Errors of the process or its connection are handled with its events.
      (error: unknown) => (error instanceof RequestError ? refusedInput(remote, error) : undefined),
    );
  }

  /**
   * Returns the process with a `write` that prints a note when the first input waits: it can only wait for
   * approval, since the pipe is still empty.
   */
  #notedInput(remote: OwnProcess): Pick<OwnProcess, 'write' | 'closeStdin'> {
    let isFirst = true;
    const write = async (bytes: Uint8Array): Promise<WriteOutcome> => {
      const waits = isFirst ? globalThis.setTimeout(() => this.#inputWaits(), WAITING_MS) : undefined;
      isFirst = false;
      try {
        return await remote.write(bytes);
      } finally {
        clearTimeout(waits);
        this.#isInputWaiting = false;
      }
    };
    return { write, closeStdin: () => remote.closeStdin() };
  }

  #inputWaits(): void {
    printNote('waiting for the input to be approved in the console');
    this.#isInputWaiting = true;
    // The gateway holds back an earlier signal behind the waiting input, so the signal ends this command instead.
    const [signal] = this.#sent;
    if (signal) this.#fail(new Signalled(signal));
  }

  /**
   * Resolves with the exit code when all output so far is written, although a background job may still print; with
   * `broken` when stdout is closed.
   */
  async #ended(remote: OwnProcess): Promise<number | 'broken'> {
    const output = new GivenOutput(remote.events());
    let exited: (exitCode: number) => void = () => undefined;
    const exit = new Promise<number>((resolve) => {
      exited = resolve;
    });
    const over = output.written(exited);
    // The races below handle an error, unless another program has begun to write the output by then.
    over.catch(() => undefined);
    const first = await Promise.race([exit, over]);
    if (first === 'broken') {
      await remote.terminate({ unlessPinned: true }).catch(() => undefined);
      return 'broken';
    }
    const exitCode = await exit;
    const looked = new AbortController();
    const held = isHeldByJob(remote, output, looked.signal).then((isHeld) => (isHeld ? 'job' : over));
    const end = await Promise.race([over, held]);
    looked.abort();
    if (end === 'broken') return 'broken';
    if (end === 'job' && !this.#tty) {
      await output.stop();
      await startPrinter(this.#client.handOver(remote, output.seq), this.#address, this.#command.agent.name);
    }
    return exitCode;
  }

  #endingOf(code: number | 'broken'): ShellEnding {
    if (code === 'broken') return { kind: 'exited', exitCode: ExitCode.brokenPipe };
    const signal = [...this.#sent].find((each) => SIGNAL_CODES[each] === code);
    return signal ? { kind: 'signalled', signal } : { kind: 'exited', exitCode: code };
  }

  #signalled(signal: EndingSignal): void {
    const isOnline = this.#client.connection.state.kind === 'online';
    // A waiting start or input holds back signals until it is withdrawn, which closing the connection does.
    if (!this.#process || !isOnline || this.#isInputWaiting) this.#fail(new Signalled(signal));
    else this.#send(signal);
  }

  /**
   * Ends the process unless it is pinned: its output is no longer read, and an agent that has exited sends no
   * signal.
   */
  #agentGone(): void {
    const hangUp = (): void => this.#fail(new Signalled('SIGHUP'));
    if (this.#process) this.#process.terminate({ graceMs: GRACE_MS, unlessPinned: true }).catch(hangUp);
    else hangUp();
  }

  #send(signal: EndingSignal): void {
    this.#sent.add(signal);
    this.#process?.signal(PASSED_ON[signal]).catch(() => this.#fail(new Signalled(signal)));
  }
}

/** Reports a refusal, and ends the input, for which the script would otherwise wait forever. */
async function refusedInput(remote: OwnProcess, error: RequestError): Promise<void> {
  printNote(`the input was not written: ${errorText(error)}`);
  await remote.closeStdin().catch(() => undefined);
}

/** Resolves with true when a background job holds the output open without printing, or after all checks. */
async function isHeldByJob(remote: OwnProcess, output: GivenOutput, signal: AbortSignal): Promise<boolean> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    await setTimeout(CLOSE_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const rest = await remote.rest().catch(() => 'some');
    if (rest === 'all') return false;
    if (rest === 'none' && output.seq === remote.lastSeq) return true;
  }
  return true;
}

/** Thrown when a signal ends this command itself. */
class Signalled extends Error {
  readonly signal: EndingSignal;

  constructor(signal: EndingSignal) {
    super(signal);
    this.signal = signal;
  }
}

function refusal(error: unknown): CommandFailed {
  const message = errorText(error);
  if (!(error instanceof RequestError))
    return new CommandFailed(ExitCode.connectionLost, `${message}; the command may have been started`);
  const isMissing = startRefusalReason(message)?.startsWith(NOT_FOUND) === true;
  return new CommandFailed(isMissing ? ExitCode.commandNotFound : ExitCode.cannotExecute, message);
}
