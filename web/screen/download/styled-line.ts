// A line as a download writes it, whether a log or a terminal has read it.
import type { LineText } from '../log/open-line.ts';

export interface StyledLine extends LineText {
  /** `page`: what the page says between the lines. */
  readonly from: 'stdout' | 'stderr' | 'page';
  /** It is the rest of the line before. */
  readonly continues: boolean;
}
