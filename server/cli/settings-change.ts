// Connects an agent by a change to its settings file, and creates the agent's token; or undoes both.
import { isDeepStrictEqual } from 'node:util';
import { visible } from '../../text/visible.ts';
import { findLocalGateway } from '../policy/local-gateway.ts';
import type { AgentSettings } from './agent-settings.ts';
import { agentToken, forgetAgentToken, newAgentToken, validToken, whyNoToken } from './agent-token.ts';
import { parsed, rewritten } from './commented-json.ts';
import { isSameToml, withGateway, withoutGateway } from './codex-environments.ts';
import { onEndingSignal } from './ending-signals.ts';
import { CommandFailed, ExitCode, SIGNAL_CODES, type EndingSignal } from './exit-codes.ts';
import { FormerSettings } from './former-settings.ts';
import { ownProgram } from './own-program.ts';
import { added, isConnected, removed, type Edit } from './settings-edits.ts';
import { readSettings, writeSettings, type SettingsFile } from './settings-file.ts';
import { startCommand, stateDirOf } from './state-folder.ts';
import { formOf } from './text-form.ts';

/** Placeholder for the token in entries that are shown, but not written. */
export const NEW_TOKEN = 'TOKEN';

const NEW_MODE = 0o600;

export interface SettingsChangeOptions {
  /** Name of the agent and of its token. */
  readonly name: string;
  readonly agent: AgentSettings;
  /** Settings file, with its links resolved. */
  readonly path: string;
  /** Value of --state-dir; null without the flag. */
  readonly stateDir: string | null;
  readonly env: NodeJS.ProcessEnv;
}

export class SettingsChange {
  readonly path: string;
  readonly #name: string;
  readonly #edits: readonly Edit[] | null;
  readonly #flags: readonly string[];
  readonly #stateDir: string;
  readonly #givenStateDir: string | null;
  readonly #former: FormerSettings;
  #read: { readonly file: SettingsFile | null } | null = null;
  /** True once `undo` has found entries, even if they cannot be removed. */
  #hadEntries = false;

  constructor({ name, agent, path, stateDir, env }: SettingsChangeOptions) {
    this.path = path;
    this.#name = name;
    this.#stateDir = stateDirOf(stateDir, env);
    this.#givenStateDir = stateDir;
    // The agent may be started without the environment variable XDG_STATE_HOME that this command has.
    const usual = stateDirOf(null, { ...env, XDG_STATE_HOME: undefined });
    this.#flags = this.#stateDir === usual ? [] : ['--state-dir', this.#stateDir];
    this.#edits = agent.edits?.(ownProgram(), this.#flags) ?? null;
    this.#former = new FormerSettings(this.#stateDir, name);
  }

  /** URL of the gateway's page; null while the state folder announces no gateway. */
  get pageUrl(): string | null {
    return findLocalGateway(this.#stateDir)?.url.replace(/^ws/, 'http') ?? null;
  }

  /** The file's text; null when there is no file. */
  get before(): string | null {
    return this.#file?.text ?? null;
  }

  /** The agent's token; null when it has no valid one. */
  get storedToken(): string | null {
    return validToken(this.#stateDir, this.#name);
  }

  /** Text of a file with only the entries, in which NEW_TOKEN stands for a token. */
  get printed(): string {
    return this.#with('', NEW_TOKEN);
  }

  /**
   * Note about the token of the printed entries, such as a stored token that is no longer valid; null when
   * there is nothing to do.
   */
  get tokenNote(): string | null {
    const flags = this.#flags.map((flag) => ` ${flag}`).join('');
    if (this.#edits === null)
      return `replace ${NEW_TOKEN} with the output of: exec-console token create ${this.#name} --role agent${flags}`;
    return whyNoToken(this.#stateDir, this.#name);
  }

  /** Returns the file's text with the entries. */
  added(token: string): string {
    return this.#with(this.before ?? '', token);
  }

  /**
   * Returns the file's text without the entries; null without a file, or when nothing is left and no earlier text is
   * stored.
   */
  removed(): string | null {
    const { before } = this;
    return before === null ? null : changing(this.path, () => this.#without(before));
  }

  async createToken(): Promise<void> {
    await agentToken(this.#stateDir, this.#name, { isConnect: true });
  }

  /**
   * Writes the entries; a token that is created for them is revoked when a signal arrives before the write,
   * or the write fails.
   */
  async connect(): Promise<void> {
    let early: EndingSignal | null = null;
    const off = onEndingSignal((signal) => {
      early = signal;
    });
    try {
      const { token, revoke } = await newAgentToken(this.#stateDir, this.#name);
      try {
        if (early !== null) throw new CommandFailed(SIGNAL_CODES[early], 'nothing was written');
        this.#write(token);
      } catch (error) {
        await revoke?.();
        throw error;
      }
    } finally {
      off();
    }
  }

  /**
   * Writes `after`, the text without the entries (null removes the file), and restores the file's former mode unless
   * the mode has been changed since.
   */
  undo(after: string | null): void {
    this.#hadEntries = true;
    const mode = this.#file?.mode ?? NEW_MODE;
    const former = this.#former.of(this.path)?.mode ?? null;
    const isOurs = former !== null && this.#modeOf(former) === mode;
    writeSettings(this.path, after, isOurs ? former : mode);
    this.#former.drop(this.path);
  }

  /**
   * Revokes the agent's token unless another connected file uses it; resolves with a sentence for the user, or `''`.
   */
  async revoke(): Promise<string> {
    const other = this.#otherPath;
    if (other !== null)
      return this.storedToken === null ? '' : `${visible(other)} still uses the token of the agent.`;
    const had = await forgetAgentToken(this.#stateDir, this.#name, { wasConnected: this.#hadEntries });
    return had ? 'The token of the agent is revoked.' : '';
  }

  #write(token: string): void {
    const file = this.#file;
    const isConnectedAlready = file !== null && this.#isConnected(file.text);
    const restore = isConnectedAlready ? null : this.#former.keep(this.path, file);
    try {
      writeSettings(this.path, this.added(token), this.#modeOf(file?.mode ?? NEW_MODE));
    } catch (error) {
      restore?.();
      throw error;
    }
  }

  /** Returns the mode of the file with the entries: only for its owner when the entries contain the token. */
  #modeOf(mode: number): number {
    return this.#edits === null ? mode & 0o700 : mode;
  }

  get #file(): SettingsFile | null {
    this.#read ??= { file: readSettings(this.path) };
    return this.#read.file;
  }

  /** Path of another connected file that still has the entries; null when there is none. */
  get #otherPath(): string | null {
    const others = this.#former.all.filter(({ path }) => path !== this.path);
    return others.find(({ path }) => this.#hasEntries(path))?.path ?? null;
  }

  #hasEntries(path: string): boolean {
    try {
      const file = readSettings(path);
      return file !== null && this.#isConnected(file.text);
    } catch {
      // A file that cannot be read or parsed does not connect its agent.
      return false;
    }
  }

  #with(text: string, token: string): string {
    const edits = this.#edits;
    const { plain, restored } = formOf(text);
    if (edits) return changing(this.path, () => restored(rewritten(plain, added(parsed(plain), edits))));
    const gateway = findLocalGateway(this.#stateDir);
    if (!gateway)
      throw new CommandFailed(
        ExitCode.noGateway,
        `Codex needs the address of a running gateway; start one with: ${startCommand(this.#givenStateDir)}`,
      );
    const url = gateway.url.replace(/^http/, 'ws');
    return changing(this.path, () => restored(withGateway(plain, { url, token })));
  }

  #without(text: string): string | null {
    if (!this.#isConnected(text)) return text;
    const before = this.#former.of(this.path)?.before ?? null;
    const { plain, restored } = formOf(text);
    const former = before === null ? null : formOf(before).plain;
    const edits = this.#edits;
    if (!edits) {
      const result = withoutGateway(plain);
      if (former !== null && isSameToml(former, result)) return before;
      return former === null && result === '' ? null : restored(result);
    }
    const settings = former === null ? {} : parsed(former);
    const result = rewritten(plain, removed(parsed(plain), edits, settings));
    // Settings that equal the former ones also get their former formatting back.
    if (former !== null && isDeepStrictEqual(settings, parsed(result))) return before;
    return former === null && Object.keys(parsed(result)).length === 0 ? null : restored(result);
  }

  #isConnected(text: string): boolean {
    const { plain } = formOf(text);
    return this.#edits ? isConnected(parsed(plain), this.#edits) : withoutGateway(plain) !== plain;
  }
}

/**
 * Runs a change of a file's text; throws CommandFailed when the change fails, for example because the file cannot be
 * parsed or a comment would be lost.
 */
function changing<T>(path: string, change: () => T): T {
  try {
    return change();
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    throw new CommandFailed(
      ExitCode.failed,
      `${visible(path)} cannot be changed: ${reasonOf(cause)}\nCorrect the file, or add by hand what --print shows.`,
      { cause },
    );
  }
}

/** Returns the reason without its position, which the TOML parser adds on further lines. */
const reasonOf = (cause: unknown): string =>
  visible((cause as Error).message.split('\n')[0] ?? '').replace(/[.:]$/, '');
