// One process of a page test's gateway: its behaviour, and actions on it.
import type { Activity } from '../../protocol/activity.ts';
import type { Act, ProcessInfo } from '../../protocol/console.ts';
import { SIGNALS, type SignalName } from '../../protocol/signals.ts';
import type { FakeGateway } from '../../client/testing/fake-gateway.ts';
import type { FakeProcess } from '../../client/testing/fake-process.ts';

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 5000;

export class PageProcess {
  readonly fake: FakeProcess;
  readonly #gateway: FakeGateway;
  readonly #happened: (key: string, what: Activity['what'], text?: string) => void;
  ignoresTerm = false;

  constructor(
    fake: FakeProcess,
    gateway: FakeGateway,
    happened: (key: string, what: Activity['what'], text?: string) => void,
  ) {
    this.fake = fake;
    this.#gateway = gateway;
    this.#happened = happened;
    happened(fake.key, 'started');
  }

  get key(): string {
    return this.fake.key;
  }

  get info(): ProcessInfo {
    return this.fake.info();
  }

  /** Notifies the page of changed facts of the process. */
  report(facts: Partial<ProcessInfo>): void {
    this.fake.facts = { ...this.fake.facts, ...facts };
    this.#gateway.report(this.fake);
  }

  prints(text: string): void {
    const { outputBytes } = this.info;
    const bytes = new TextEncoder().encode(text);
    this.fake.output(bytes, this.fake.tty ? 'pty' : 'stdout');
    const lastLine = text.trim().split('\n').at(-1) ?? null;
    this.report({ outputBytes: outputBytes + bytes.length, lastOutputAtMs: Date.now(), lastLine });
  }

  /** Prints a question and begins waiting for input. */
  asks(question: string): void {
    this.prints(question);
    this.report({ waitsForInput: true });
    this.#happened(this.key, 'waitsForInput');
  }

  rings(): void {
    this.report({ bellAtMs: Date.now() });
    this.#happened(this.key, 'bell');
  }

  notifies(text: string): void {
    this.report({ notification: { text, atMs: Date.now() } });
    this.#happened(this.key, 'notification', text);
  }

  ends(exitCode = 0, facts: Partial<ProcessInfo> = {}): void {
    this.fake.exit();
    this.fake.close();
    this.report({
      state: 'closed',
      exitCode,
      exitedAtMs: Date.now(),
      waitsForInput: false,
      progress: null,
      terminatingSinceMs: null,
      killAtMs: null,
      ...facts,
    });
    this.#happened(this.key, 'exited');
  }

  closesStdin(who: string): void {
    this.#acts(who, 'closeStdin');
  }

  #acts(who: string, how: Act['how']): Act {
    const act: Act = { who, how, atMs: Date.now() };
    this.report({ acts: [...this.info.acts, { ...act, afterSeq: this.fake.nextSeq - 1 }] });
    return act;
  }

  /** Records a signal from the named person; the process ends if the signal may end it and is not ignored. */
  isSignalled(signal: SignalName, who: string): void {
    const act = this.#acts(who, signal);
    const { state } = this.info;
    const { osName: name, mayEnd } = SIGNALS[signal];
    if (!mayEnd || state === 'closed') return;
    if (signal === 'terminate' && this.ignoresTerm) {
      const { pid, argv } = this.info;
      const survivors = [{ pid, name: argv[0]?.split('/').at(-1) ?? '' }];
      this.report({ terminatingSinceMs: act.atMs, killAtMs: act.atMs + GRACE_MS, survivors });
      return;
    }
    const endedBy = act as NonNullable<ProcessInfo['endedBy']>;
    this.ends(0, { exitCode: null, signal: name, endedBy, allEndedAtMs: act.atMs, survivors: [] });
  }
}
