// Gateway for page tests: agents that start processes, the people at the console, and their actions.
import type { Activity, ActivitySince, Person } from '../../protocol/activity.ts';
import type { ProcessInfo, SessionInfo } from '../../protocol/console.ts';
import type { SignalName } from '../../protocol/signals.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { RequestMethod, Requests } from '../../protocol/methods.ts';
import type { EnvironmentInfo, Role } from '../../protocol/session.ts';
import { FakeGateway } from '../../client/testing/fake-gateway.ts';
import type { FakePeer } from '../../client/testing/fake-peer.ts';
import { PageProcess } from './page-process.ts';
import { LiveRuntime } from './live-runtime.ts';

type Params = Readonly<Record<string, unknown>>;

const ENVIRONMENT: EnvironmentInfo = {
  shell: { name: 'sh', path: '/bin/sh' },
  executorVersion: '0',
  providerId: 'local',
  cwd: 'file:///srv/people/ada',
  userHomeDir: 'file:///srv/people/ada',
  platformOs: 'linux',
  prependPathDirs: [],
  temporaryDirectories: ['file:///tmp'],
  tempDir: 'file:///tmp',
  capabilities: {},
};

/** Name of the person at the page. */
const OWN_NAME = 'operator';

export const sh = (script: string): string[] => ['/bin/sh', '-c', script];

/** An agent with one session, in which it starts processes. */
export class PageAgent {
  readonly session: SessionInfo;
  readonly #start: (argv: readonly string[], facts: Partial<ProcessInfo>) => PageProcess;

  constructor(session: SessionInfo, start: PageAgent['start']) {
    this.session = session;
    this.#start = start;
  }

  start(argv: readonly string[], facts: Partial<ProcessInfo> = {}): PageProcess {
    return this.#start(argv, { session: this.session.label, startedBy: this.session.startedBy, ...facts });
  }
}

export class PageGateway {
  readonly fake = new FakeGateway({ runtime: new LiveRuntime() });
  readonly processes = new Map<string, PageProcess>();
  readonly agents: PageAgent[] = [];
  people: readonly Person[] = [];
  role: Role = 'operator';
  /** Called with each process that the page starts, to act as its program; by default, the process runs until ended. */
  started: (process: PageProcess) => void = () => undefined;
  #activity: readonly Activity[] = [];
  #sinceChange: number | null = null;

  constructor() {
    this.fake.watched = () => ({
      sessions: this.agents.map(({ session }) => session),
      people: this.people,
      activity: this.#reported(),
    });
    this.answer('console/watch', ({ sinceChange }) => {
      this.#sinceChange = typeof sinceChange === 'number' ? sinceChange : null;
      return undefined;
    });
    this.answer('initialize', () => {
      this.fake.initializeExtra = {
        environmentInfo: ENVIRONMENT,
        console: {
          version: '0',
          connection: `c${this.fake.peers.length}`,
          session: 'console',
          role: this.role,
          features: [],
          share: null,
        },
      };
      return undefined;
    });
    this.answer('console/usage', () => ({ processes: [] }) as never);
    this.answer('console/look', () => ({}));
    this.#answerActs();
  }

  #reported(): ActivitySince {
    const since = this.#sinceChange;
    const entries = since === null ? [] : this.#activity.filter(({ change }) => change > since);
    return { change: this.#activity.length, entries, isComplete: true };
  }

  /**
   * Answers a method with the result of `respond`: an Error becomes a gateway error, undefined selects the default
   * answer.
   */
  answer<M extends RequestMethod>(
    method: M,
    respond: (params: Params, peer: FakePeer) => Requests[M]['result'] | Error | undefined,
  ): void {
    this.fake.answers.set(method, (params, peer) => {
      const result = respond(params, peer);
      if (result instanceof Error) return { code: ErrorCode.internal, message: result.message };
      return result === undefined ? undefined : { result };
    });
  }

  refuse(method: RequestMethod, code: number, message: string): void {
    this.fake.answers.set(method, () => ({ code, message }));
  }

  /** Leaves requests of this method unhandled until the returned function is called. */
  hold(method: RequestMethod): () => void {
    return this.fake.hold(method);
  }

  agent(name = 'test'): PageAgent {
    const label = `s${this.agents.length + 1}`;
    const session: SessionInfo = {
      label,
      clientName: name,
      startedBy: 'token',
      attached: true,
      connectedAtMs: Date.now() - 1000,
      detachedAtMs: null,
      expiresAtMs: null,
      processCount: 0,
    };
    const agent = new PageAgent(session, (argv, facts) => this.start(argv, facts));
    this.agents.push(agent);
    this.fake.notifyAll({ sessions: [session] });
    return agent;
  }

  start(argv: readonly string[], facts: Partial<ProcessInfo> = {}, own = ''): PageProcess {
    const number = this.processes.size + 1;
    const key = own === '' ? `key${number}` : `key of ${own}`;
    const startedAtMs = Date.now() - 1000 + number;
    const defaults = { argv, pid: 1000 + number, startedAtMs, tty: false, restartable: true, cwd: '/home' };
    const size = facts.tty === true ? { rows: 24, cols: 80 } : null;
    const fake = this.fake.start(key, own === '' ? `p${number}` : own, { ...defaults, ...facts });
    if (size) fake.resize(size);
    const process = new PageProcess(fake, this.fake, (of, what, text) => this.#happened(of, what, text));
    this.processes.set(key, process);
    return process;
  }

  #happened(key: string, what: Activity['what'], text?: string): void {
    const change = this.#activity.length + 1;
    const entry: Activity = { change, atMs: Date.now(), key, what, ...(text !== undefined && { text }) };
    this.#activity = [...this.#activity, entry];
    this.fake.notifyAll({ activity: { change, entries: [entry], isComplete: true } });
  }

  /** Answers the page's requests to start processes and to act on them. */
  #answerActs(): void {
    const of = (params: Params): PageProcess | undefined => this.processes.get(String(params['key']));
    this.answer('process/signal', (params) => {
      of(params)?.isSignalled(params['signal'] as SignalName, OWN_NAME);
      return undefined;
    });
    this.answer('process/closeStdin', (params) => {
      of(params)?.closesStdin(OWN_NAME);
      return undefined;
    });
    this.answer('process/terminate', (params) => {
      const process = of(params);
      process?.isSignalled(params['graceMs'] === 0 ? 'kill' : 'terminate', OWN_NAME);
      return { running: process !== undefined };
    });
    this.answer('process/start', (params, peer) => {
      const { argv, cwd, label = null, tty, size } = params;
      const facts = {
        session: 'console',
        startedBy: OWN_NAME,
        cwd,
        label,
        tty,
        size,
      } as Partial<ProcessInfo>;
      return this.#startOwn(argv as readonly string[], facts, String(params['processId']), peer);
    });
    this.answer('process/restart', (params, peer) => {
      const former = of(params);
      if (!former) return undefined;
      const { argv, cwd, tty, size } = former.info;
      const facts = { session: 'console', startedBy: OWN_NAME, cwd, tty, size, restartOf: former.key };
      return this.#startOwn(argv, facts, String(params['newProcessId']), peer);
    });
  }

  #startOwn(argv: readonly string[], facts: Partial<ProcessInfo>, processId: string, peer: FakePeer) {
    const process = this.start(argv, facts, processId);
    process.fake.controller = peer.label;
    peer.attach(process.fake);
    this.started(process);
    return { processId, sandboxType: 'none', key: process.key };
  }
}
