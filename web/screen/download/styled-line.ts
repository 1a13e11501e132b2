// A line as a download writes it, from a log or from a terminal.
import type { LineText } from '../log/open-line.ts';

export interface StyledLine extends LineText {
  /** Source of the line; `page` for notes of the page between the lines. */
  readonly from: 'stdout' | 'stderr' | 'page';
  /** True when the line is the rest of the line before. */
  readonly continues: boolean;
}
