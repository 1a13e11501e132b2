// CPU usage at a test's gateway: reported for the processes that the page requested last.
import type { ProcessUsage } from '../../protocol/looks.ts';
import type { PageGateway } from './page-gateway.ts';

const MEMORY_BYTES = 2_000_000;

export class PageUsage {
  readonly #gateway: PageGateway;
  readonly #cpu = new Map<string, number>();
  #asked: readonly string[] = [];
  #isHeld = false;

  constructor(gateway: PageGateway) {
    this.#gateway = gateway;
    gateway.answer('console/usage', ({ keys }) => {
      this.#asked = keys as readonly string[];
      this.measure();
      return { supported: true };
    });
  }

  /** Sets the CPU usage of a process in cores, 0 by default, and reports it. */
  set(key: string, cores: number): void {
    this.#cpu.set(key, cores);
    this.measure();
  }

  /** Drops all reports until `release`, which sends the current usage. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.measure();
  }

  /** Reports twice, like a gateway: first without CPU usage, which requires two measurements. */
  measure(): void {
    const { fake } = this.#gateway;
    for (const isFirst of [true, false])
      fake.runtime.after(0, () => {
        if (this.#isHeld) return;
        const usage = this.#asked.map((key): ProcessUsage => ({
          key,
          cpu: isFirst ? null : (this.#cpu.get(key) ?? 0),
          memoryBytes: MEMORY_BYTES,
          processes: 1,
          ports: [],
        }));
        fake.peers.at(-1)?.send({ method: 'console/usageChanged', params: { usage } });
      });
  }
}
