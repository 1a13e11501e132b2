// Note above the first line of a log about earlier lines that are no longer available.
import type { LogLines } from './log-lines.ts';
import { countedText } from '../../../text/amounts.ts';

export class DroppedNote {
  readonly element = document.createElement('div');
  readonly #lines: LogLines;

  constructor(lines: LogLines) {
    this.#lines = lines;
    this.element.className = 'log-row log-divider';
  }

  get isShown(): boolean {
    return this.#lines.droppedLines > 0 && this.#lines.pastRows === 0;
  }

  report(): void {
    this.element.hidden = !this.isShown;
    const { droppedLines, evictedLines } = this.#lines;
    const how = evictedLines > 0 ? 'evicted from this page' : 'cleared';
    this.element.textContent = this.isShown ? `— ${countedText(droppedLines, 'earlier line')} ${how} —` : '';
  }
}
