// A line of a download, from a log or a terminal.
import type { LineText } from '../log/open-line.ts';

export interface StyledLine extends LineText {
  /** Source of the line; `page` for notes that the page inserts between lines. */
  readonly from: 'stdout' | 'stderr' | 'page';
  /** True when the line continues the previous one. */
  readonly continues: boolean;
}
