// Implements the first dialect (`command/*`) on the same sessions and processes as the current one.
import { commandDecoders, COMMANDS, type CommandRequests } from '../../protocol/command.ts';
import { headOf } from '../../text/cut.ts';
import { whenThere } from '../keeper/process-home.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { invalidParams, invalidRequest } from '../rpc/rpc-error.ts';
import type { Dialect, Peer } from './peer.ts';
import { notWritten } from './stdin.ts';
import {
  type AskedSpec,
  checkCommandSize,
  DEFAULT_SIZE,
  environmentFor,
  sandboxFor,
  type StartRules,
  whenLookedUp,
} from './start.ts';
import { CommandFrames } from './command-frames.ts';

type CommandMethod = keyof CommandRequests;

export class CommandDialect implements Dialect {
  readonly #peer: Peer;
  readonly #checkRoom: () => void;
  readonly #rules: StartRules;
  #asked = 0;
  #started = 0;
  #writes = 0;

  /** `checkRoom` throws when there is no room for another process. */
  constructor(peer: Peer, rules: StartRules, checkRoom: () => void) {
    this.#peer = peer;
    this.#rules = rules;
    this.#checkRoom = checkRoom;
  }

  /** Handles a request, with the same order of checks as the current dialect. */
  request(method: string, params: unknown): unknown {
    if (!isCommand(method)) throw invalidRequest(`unknown method ${JSON.stringify(headOf(method, 200))}`);
    const decoded = commandDecoders[method](params);
    if (!decoded.ok) throw invalidParams(`${method}: ${decoded.reason}`);
    this.#peer.checkHandshake(method);
    const { sameAs } = COMMANDS[method];
    this.#peer.checkRole(sameAs, decoded.params);
    // The decoder of this method has produced these params.
    const call = this.#methods[method] as (params: unknown) => unknown;
    // Only this copy of the params is retained while a decision is pending.
    const asked = this.#asPresent(decoded.params);
    return this.#peer.decided(sameAs, asked, () => call(asked));
  }

  /**
   * Returns params for the decision and the audit log, with the process id in the current dialect. A command gets its
   * number when it starts; until then it has a separate id, so that it waits behind no other command.
   */
  #asPresent<T extends CommandRequests[CommandMethod]['params']>(params: T): T & { processId: string } {
    const processId = 'sessionId' in params ? params.sessionId : `command-${(this.#asked += 1)}`;
    return { ...params, processId };
  }

  readonly #methods: {
    readonly [M in CommandMethod]: (
      params: CommandRequests[M]['params'],
    ) => CommandRequests[M]['result'] | Promise<CommandRequests[M]['result']>;
  } = {
    'command/exec': ({ argv, cwd, env, tty, arg0 }) => {
      this.#checkRoom();
      checkCommandSize('command/exec', { argv, env }, this.#rules.limits);
      const { sandboxes, user } = this.#rules;
      const ofChild = environmentFor({ env, envPolicy: null, tty }, user);
      const asked: AskedSpec = {
        argv,
        arg0: arg0 ?? null,
        cwd,
        env: ofChild,
        tty: tty ? DEFAULT_SIZE : null,
        pipeStdin: false,
        user,
        // Requests of this dialect have no sandbox, but the operator's minimum sandbox still applies.
        sandbox: () => sandboxFor(sandboxes, null, { cwd, tmpdir: ofChild['TMPDIR'] }),
        intent: null,
      };
      return whenLookedUp(asked, this.#peer, (spec) => {
        this.#checkRoom();
        const sessionId = `proc-${this.#started + 1}`;
        const { identity, session } = this.#peer;
        const starter = { startedBy: identity.name, starter: identity };
        const description = { ...starter, metadata: {}, label: null, restartOf: null };
        const started = session.start({ processId: sessionId, ...description }, spec, {
          frames: new CommandFrames(sessionId),
        });
        this.#started += 1;
        const number = this.#started;
        // A failed start frees its number, unless a later start has already taken the next one.
        if (started instanceof Promise)
          started.catch(() => {
            if (this.#started === number) this.#started -= 1;
          });
        return whenThere(started, () => ({ sessionId }));
      });
    },

    'command/exec/write': async ({ sessionId, chunk }) => {
      const writeId = String((this.#writes += 1));
      const process = this.#known(sessionId);
      const writer = { session: this.#peer.session.label, who: this.#peer.identity.name };
      try {
        const status = await process?.write(writer, writeId, Buffer.from(chunk, 'base64'));
        if (status !== 'accepted') throw invalidRequest(`stdin of session ${sessionId} is closed`);
        return { accepted: true };
      } catch (error) {
        return notWritten(error);
      }
    },

    'command/exec/terminate': ({ sessionId }) =>
      this.#known(sessionId)?.killNow(this.#peer.identity.name) ?? { running: false },
  };

  /** Returns undefined for a process that has been removed; throws for an id that was never assigned. */
  #known(sessionId: string): ProcessControl | undefined {
    const number = Number(/^proc-([1-9]\d{0,14})$/.exec(sessionId)?.[1]);
    if (!(number <= this.#started)) throw invalidRequest(`unknown session id ${headOf(sessionId, 200)}`);
    return this.#peer.session.process(sessionId);
  }
}

function isCommand(method: string): method is CommandMethod {
  return Object.hasOwn(COMMANDS, method);
}
