// The terminal in which a command was typed: raw while a process has it, and as it was afterwards, whatever happens.
import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import type { Size } from '../../protocol/scalars.ts';
import type { Part } from './allowed-sequences.ts';
import { ControlSequences } from './control-sequences.ts';
import { TerminalChanges } from './terminal-changes.ts';

const SIZE_WITHOUT_TERMINAL: Size = { rows: 24, cols: 80 };

export class LocalTerminal {
  readonly #changes = new TerminalChanges();
  readonly #stdout = new ControlSequences(this.#changes, () => this.size.cols);
  readonly #stderr = new ControlSequences(this.#changes, () => this.size.cols);
  #isRaw = false;
  #continued: () => void = () => undefined;
  readonly #restore = (): void => this.restore();
  readonly #again = (): void => {
    // Whoever continues a stopped command may have changed the terminal meanwhile, which Node does not know.
    if (!this.#isRaw) return;
    process.stdin.setRawMode(false);
    this.#makeRaw();
    this.#continued();
  };

  get size(): Size {
    const { rows, columns: cols } = process.stdout.isTTY ? process.stdout : process.stderr;
    return rows && cols ? { rows, cols } : SIZE_WITHOUT_TERMINAL;
  }

  onResize(listener: (size: Size) => void): () => void {
    const stream = process.stdout.isTTY ? process.stdout : process.stderr;
    const tell = (): void => listener(this.size);
    stream.on('resize', tell);
    return () => stream.off('resize', tell);
  }

  /** What is to be written of a process's output: all of it, unless that goes to a terminal. */
  shown(output: Uint8Array, stream: 'stdout' | 'stderr', part: Part | 'answering'): Uint8Array {
    if (!process[stream].isTTY) return output;
    return (stream === 'stdout' ? this.#stdout : this.#stderr).pass(output, part);
  }

  /** Undoes what output has changed about the terminal. */
  undo(): string {
    return this.#stdout.end() + this.#stderr.end() + this.#changes.undo(this.size.cols);
  }

  /**
   * Every key and every byte goes through, until `restore`, or the end of this program. `continued` is told when it
   * was stopped and goes on, with somebody else's output on the screen.
   */
  enterRaw(continued: () => void): void {
    if (this.#isRaw || !process.stdin.isTTY) return;
    this.#isRaw = true;
    this.#continued = continued;
    this.#makeRaw();
    process.on('exit', this.#restore);
    process.on('SIGCONT', this.#again);
  }

  restore(): void {
    const undo = this.undo();
    const stream = [process.stdout, process.stderr].find(({ isTTY }) => isTTY);
    try {
      // Synchronously, since this may be the last thing that is done.
      if (stream && (undo || this.#isRaw)) writeSync(stream.fd, `${undo}\u001b[m`);
    } catch {
      // The terminal has gone.
    }
    if (!this.#isRaw) return;
    this.#isRaw = false;
    process.off('exit', this.#restore);
    process.off('SIGCONT', this.#again);
    process.stdin.setRawMode(false);
  }

  #makeRaw(): void {
    process.stdin.setRawMode(true);
    // Node leaves the output's processing on: a bare line feed, by which full-screen programs move down, would also
    // go to the first column.
    spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  }
}
