// Props of every row of the list, whatever it shows: its place, and whether the Tab key stops at it.
import type { CSSProperties } from 'react';

export interface RowProps {
  readonly role: 'row';
  readonly tabIndex: 0 | -1;
  readonly style: CSSProperties;
  readonly 'aria-level': number;
  readonly 'aria-rowindex': number;
  readonly 'data-item': string;
}
