// Many processes of several agents, because the number of processes per session is limited; started a few at a
// time, as agents do.
import { Client } from './client.ts';
import type { Followed } from './followed.ts';
import type { Subject } from './measure.ts';

/** Default limit on running processes per session. */
const PER_SESSION = 500;
const AT_ONCE = 10;

export class Crowd {
  readonly processes: Followed[] = [];
  readonly #subject: Subject;
  readonly #agents: Client[] = [];

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async growTo(count: number, argv: readonly string[]): Promise<void> {
    while (this.processes.length < count) {
      const agent = await this.#agentFor(this.processes.length);
      const room = PER_SESSION - (this.processes.length % PER_SESSION);
      const wave = Math.min(AT_ONCE, room, count - this.processes.length);
      const starts = Array.from({ length: wave }, () => agent.start(argv, { tty: true }));
      this.processes.push(...(await Promise.all(starts)));
    }
  }

  close(): void {
    for (const agent of this.#agents) agent.close();
  }

  async #agentFor(index: number): Promise<Client> {
    const known = this.#agents[Math.floor(index / PER_SESSION)];
    if (known) return known;
    const agent = await Client.open(this.#subject);
    this.#agents.push(agent);
    return agent;
  }
}
