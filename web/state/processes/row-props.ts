// Props common to all rows of the list: position, and whether the Tab key stops at the row.
import type { CSSProperties } from 'react';

export interface RowProps {
  readonly role: 'row';
  readonly tabIndex: 0 | -1;
  readonly style: CSSProperties;
  readonly 'aria-level': number;
  readonly 'aria-rowindex': number;
  readonly 'data-item': string;
}
