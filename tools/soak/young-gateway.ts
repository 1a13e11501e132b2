// Reference for the echo times of a soak: a recently started gateway, idle except for one terminal.
import { agentOf, forkGateway } from './forked-gateway.ts';
import { typeInto } from './typing.ts';

export class YoungGateway {
  #echoes: number[] = [];
  #isOver = false;

  /** Removes and returns the echo times (ms) measured since the last call. */
  takeEchoes(): readonly number[] {
    const echoes = this.#echoes;
    this.#echoes = [];
    return echoes;
  }

  /** Runs until `end`; replaces the gateway whenever it has reached the age `oldMs`. */
  async run(oldMs: number): Promise<void> {
    while (!this.#isOver) {
      const untilMs = performance.now() + oldMs;
      const forked = await forkGateway();
      const agent = await agentOf(forked.gateway);
      await typeInto(
        agent,
        () => !this.#isOver && performance.now() < untilMs,
        (ms) => this.#echoes.push(ms),
      );
      agent.close();
      await forked.stop();
    }
  }

  end(): void {
    this.#isOver = true;
  }
}
