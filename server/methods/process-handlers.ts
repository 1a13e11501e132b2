// Handlers of process/*, by `processId` (of the peer's own session) or by `key` (of any process).
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Requests } from '../../protocol/methods.ts';
import { TERMINATE_GRACE_MS, WINDOW_BYTES } from '../../protocol/console-constants.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { headOf } from '../../text/cut.ts';
import type { ChildSpec } from '../host/child.ts';
import { whenThere } from '../keeper/process-home.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { Budget } from '../limits/budget.ts';
import { Turns } from '../limits/turns.ts';
import { read, readByKey, waitForEnd, whenNews } from '../keeper/read.ts';
import { redacted, redactedBytes } from '../delivery/redacted-log.ts';
import { internal, invalidParams, invalidRequest, RpcError } from '../rpc/rpc-error.ts';
import { notWritten, statusResult } from '../sessions/stdin.ts';
import type { Methods, Peer } from '../sessions/peer.ts';
import type { Session } from '../sessions/session.ts';
import { runsAsWritten } from '../approvals/start-question.ts';
import { childSpec, shownMetadata, type StartRules, whenLookedUp } from '../sessions/start.ts';
import type { Console } from '../console/console.ts';
import type { Desk } from '../console/desk.ts';
import { seenBy, seesSecrets } from '../console/redacted.ts';

type ProcessMethods = Pick<Methods, Extract<keyof Methods, `process/${string}`>>;
type Address = { readonly processId: string } | { readonly key: string };
type StartParams = Requests['process/start']['params'];

/**
 * Limits on snapshots encoded at once: in total, per token, and reserved for operators and admins. Further ones wait.
 * One token may have only one, so that a caller with many requests does not delay others.
 */
const WRITTEN = { all: 8, perToken: 1, reserve: 1 };

/**
 * Returns the handlers. `isFreed` returns true for params of a start that was approved without its sandbox.
 */
export function processMethods(
  console: Console,
  rules: StartRules,
  isFreed: (params: object) => boolean,
): ProcessMethods {
  const answers = new Turns(new Budget('snapshots in progress', WRITTEN));
  /**
   * Returns the addressed process. Throws for an unknown key; returns undefined for an unknown `processId`.
   */
  const find = (address: Address, peer: Peer): ProcessControl | undefined =>
    'key' in address ? console.process(address.key) : peer.session.process(address.processId);
  const known = (address: Address, peer: Peer): ProcessControl => {
    if ('key' in address) return console.process(address.key);
    const process = peer.session.process(address.processId);
    if (!process) throw invalidRequest(`unknown process id ${address.processId}`);
    return process;
  };

  return {
    'process/start': (asked, peer) => {
      const completed = console.restarts.likeItsModel(asked, (key) => console.process(key));
      const params = isFreed(asked) ? { ...completed, sandbox: null } : completed;
      const session = params.session === 'console' ? console.sessions.console : peer.session;
      const { retryOf } = params;
      const blocked = retryOf === undefined ? null : blockedProcess(session, retryOf);
      console.checkRoom(session, peer.identity);
      return whenLookedUp(childSpec(params, rules), peer, (spec) => {
        console.checkRoom(session, peer.identity);
        const started = session.isConsole
          ? startOnConsole(console, params, peer, { spec })
          : session.start(
              {
                ...description(params, peer),
                restartOf: blocked?.key ?? null,
                ...(spec.pipeStdin && runsAsWritten(spec.env, spec.user) && { runsAsWritten: true }),
              },
              spec,
              { endsWithConnection: params.endsWithConnection },
            );
        return whenThere(started, (process) => {
          blocked?.restarted(peer.identity.name);
          console.restarts.keep(process.key, params, peer.identity.tokenId);
          return startResult(process);
        });
      });
    },
    'process/restart': ({ key, newProcessId, size, windowBytes, withoutSandbox }, peer) => {
      const process = console.process(key);
      const isOver = process.exit !== null || (process.isLost && !process.isStillRunning);
      if (!isOver)
        throw invalidRequest(`process ${key} is still running: terminate it before you restart it`);
      const original = console.restarts.paramsOf(process);
      if (!original)
        throw invalidRequest(
          `the settings of process ${key} are no longer retained; start a new process instead`,
        );
      console.checkRoom(console.sessions.console, peer.identity);
      const params = {
        ...original,
        processId: newProcessId,
        session: 'console',
        // Only a person's choice not to record applies to the restart, not an agent's.
        recorded: !process.description.notRecorded,
        ...(size && { size }),
        ...(withoutSandbox && { sandbox: null }),
        windowBytes,
      } as const;
      return whenLookedUp(childSpec(params, rules), peer, (spec) => {
        console.checkRoom(console.sessions.console, peer.identity);
        return whenThere(startOnConsole(console, params, peer, { spec, restartOf: key }), (restarted) => {
          console.restarts.keep(restarted.key, params, peer.identity.tokenId);
          process.restarted(peer.identity.name);
          return startResult(restarted);
        });
      });
    },
    'process/read': (params, peer) => {
      const process = known(params, peer);
      return whenNews(process, params, peer.connection, () => {
        if ('key' in params) return readByKey(process, params, seenBy(peer.identity, process));
        const { nextSeq, result } = read(process, params);
        peer.session.hasRead(params.processId, nextSeq - 1);
        return result;
      });
    },
    'process/write': (params, peer) => {
      const process = find(params, peer);
      if (!process) return { status: 'unknownProcess' };
      const writer = { session: peer.session.label, who: peer.identity.name };
      try {
        return statusResult(process.write(writer, params.writeId, Buffer.from(params.chunk, 'base64')));
      } catch (error) {
        return notWritten(error);
      }
    },
    'process/signal': (params, peer) => {
      find(params, peer)?.signal(params.signal, peer.identity.name);
      return {};
    },
    'process/terminate': (params, peer) => {
      const { name } = peer.identity;
      if (!('key' in params)) {
        const process = find(params, peer);
        const { graceMs, unlessPinned } = params;
        if (process && unlessPinned && console.pins.has(process.key)) return { running: !process.isClosed };
        const ended = graceMs === undefined ? process?.killNow(name) : process?.terminate(graceMs, name);
        return ended ?? { running: false };
      }
      const graceMs = params.graceMs ?? TERMINATE_GRACE_MS;
      return known(params, peer).terminate(graceMs, name, { isEscapedToo: params.escaped ?? false });
    },
    'process/resize': (params, peer) => {
      const process = known(params, peer);
      if (!process.size) throw new RpcError(ErrorCode.noTty, `process ${process.processId} has no terminal`);
      if ('key' in params && process.controller !== peer.label) {
        const controller = process.controller ?? 'nobody';
        throw new RpcError(
          ErrorCode.notController,
          `process ${params.key} is controlled by ${controller}; take control first`,
        );
      }
      process.resize({ rows: params.rows, cols: params.cols });
      return {};
    },
    'process/pin': ({ key, pinned }, peer) => {
      console.pins.set(console.process(key), pinned ? peer.identity.name : null);
      return {};
    },
    'process/closeStdin': (params, peer) =>
      statusResult(find(params, peer)?.closeStdin(peer.identity.name) ?? 'unknownProcess'),
    'process/wait': (params, peer) =>
      waitForEnd(known(params, peer), params.until ?? 'closed', params.waitMs, peer.connection),
    'process/attach': (params, peer) => {
      const process = console.process(params.key);
      if (process.description.session === peer.session.label) {
        throw new RpcError(
          ErrorCode.alreadyAttached,
          `process ${params.key} belongs to your own session, which receives its events without attaching`,
        );
      }
      return console.desk(peer).attach(process, {
        windowBytes: params.windowBytes ?? WINDOW_BYTES.default,
        ...(typeof params.afterSeq === 'number' && { afterSeq: params.afterSeq }),
      });
    },
    'process/detach': ({ key }, peer) => {
      attachedDesk(console, key, peer).detach(key);
      return {};
    },
    'process/ack': ({ key, seq }, peer) => {
      attachedDesk(console, key, peer).acknowledge(key, seq);
      return {};
    },
    'process/control': (params, peer) => {
      const process = console.process(params.key);
      if (params.take) console.takeControl(process, receiver(console, params.to, peer));
      else console.desk(peer).release(process);
      return {};
    },
    'process/lines': ({ key }) => notRecorded('process/lines', console.process(key)),
    'process/recording': ({ key }) => notRecorded('process/recording', console.process(key)),
    'process/moment': ({ key }) => notRecorded('process/moment', console.process(key)),
    'process/snapshot': async ({ key, scrollback }, peer) => {
      const process = console.process(key);
      if (!process.size) throw new RpcError(ErrorCode.noTty, `process ${key} has no terminal`);
      const isRedacted = !seesSecrets(peer.identity);
      const snapshot = await console.screens.snapshot(process, scrollback ?? null, isRedacted);
      if (!snapshot) throw internal(`the screen of process ${key} is no longer retained`);
      const { seq, size, data, isExact } = snapshot;
      // The screen was drawn from redacted output, but characters printed apart may form a secret on it.
      const open = isRedacted ? redacted(process.log).open : null;
      return answers.inTurn(peer.identity, async () => {
        const shown = open === null ? Buffer.from(data) : redactedBytes(data, open);
        await nextTurn();
        return { seq, ...size, data: shown.toString('base64'), exact: isExact };
      });
    },
  };
}

function notRecorded(method: string, { key }: { readonly key: string }): never {
  throw invalidParams(`${method}: process ${key} has no recording`);
}

function description({ processId, metadata, label }: StartParams, { identity }: Peer) {
  return {
    processId,
    startedBy: identity.name,
    starter: identity,
    metadata: shownMetadata(metadata),
    // A label of blanks would leave the process without a visible name.
    label: label?.trim() ? label : null,
    restartOf: null,
  };
}

/** Returns a process of this session that its sandbox blocked; throws for any other. */
function blockedProcess(session: Session, key: string): ProcessControl {
  const found = session.isConsole ? undefined : session.processes().find((each) => each.key === key);
  if (found?.sandboxDenied) return found;
  throw invalidParams(
    'process/start: params.retryOf: must name a process of this session that its sandbox blocked',
  );
}

/** Starts a process of the console; the caller is attached from the first byte on, and controls it. */
function startOnConsole(
  console: Console,
  params: StartParams,
  peer: Peer,
  { spec, restartOf = null }: { readonly spec: ChildSpec; readonly restartOf?: string | null },
): ProcessControl | Promise<ProcessControl> {
  const desk = console.desk(peer);
  desk.checkRoom();
  const starting = console.sessions.console.start(
    {
      ...description(params, peer),
      restartOf,
      ...(params.recorded === false && { notRecorded: true as const }),
    },
    spec,
  );
  return whenThere(starting, (started) => {
    // A peer that has disconnected since its request is not attached.
    if (peer.connection.isEnding) return started;
    const windowBytes = params.windowBytes ?? WINDOW_BYTES.default;
    desk.attach(started, { windowBytes, afterSeq: 0 });
    console.takeControl(started, peer);
    return started;
  });
}

const startResult = ({ processId, spec, key }: ProcessControl): Requests['process/start']['result'] => ({
  processId,
  sandboxType: spec.sandbox?.type ?? 'none',
  key,
});

/**
 * Returns the connection to become the controller: the caller, or the named watcher if its role permits control.
 * Throws for any other.
 */
function receiver(console: Console, to: string | undefined, peer: Peer): Peer {
  if (to === undefined || to === peer.label) return peer;
  const other = console.watcher(to);
  if (other?.mayCall('process/control', true)) return other;
  const why = other ? `${other.identity.name} is read-only` : `no connection ${headOf(to, 80)} is watching`;
  throw invalidParams(`process/control: params.to: ${why}`);
}

/** Returns the caller's desk. Throws for an unknown process, unless the caller still has it attached. */
function attachedDesk(console: Console, key: string, peer: Peer): Desk {
  const desk = console.desk(peer);
  if (!desk.isAttached(key)) console.process(key);
  return desk;
}
