// Puts the terminal of a command into raw mode while a process uses it, and restores it afterwards.
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
    // The shell may have changed the terminal before it continued this command. Node does not detect that, so raw
    // mode is entered anew.
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
    const changed = (): void => listener(this.size);
    stream.on('resize', changed);
    return () => stream.off('resize', changed);
  }

  /** Returns the bytes to write for output of a process; on a terminal, `part` decides what is filtered. */
  shown(output: Uint8Array, stream: 'stdout' | 'stderr', part: Part | 'answering'): Uint8Array {
    if (!process[stream].isTTY) return output;
    return (stream === 'stdout' ? this.#stdout : this.#stderr).pass(output, part);
  }

  /** Returns the sequences that undo the output's changes to the terminal. */
  undo(): string {
    return this.#stdout.end() + this.#stderr.end() + this.#changes.undo(this.size.cols);
  }

  /**
   * Switches to raw mode until `restore` or the end of this program; does nothing unless stdin is a terminal.
   * `continued` is called when this program continues after a stop, since another program may have used the
   * screen.
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
      // The write is synchronous, because this program may exit right after it.
      if (stream && (undo || this.#isRaw)) writeSync(stream.fd, `${undo}\u001b[m`);
    } catch {
      // The write fails if the terminal has closed; then there is nothing to undo.
    }
    if (!this.#isRaw) return;
    this.#isRaw = false;
    process.off('exit', this.#restore);
    process.off('SIGCONT', this.#again);
    process.stdin.setRawMode(false);
  }

  #makeRaw(): void {
    process.stdin.setRawMode(true);
    // Node leaves output processing on, so a bare line feed, with which full-screen programs move down, would
    // also return to the first column.
    spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
  }
}
