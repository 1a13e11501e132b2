// Rows selected by keys, clicks and ranges, in the order of the list.
import { beforeEach, expect, it } from 'vitest';
import {
  clearSelection,
  meantBy,
  selectAlso,
  selectionStore,
  selectTo,
  toggleSelected,
} from './selection.ts';
import { processStore } from '../processes/process-store.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const selected = (): readonly string[] => selectionStore.getState().keys;

beforeEach(() => clearSelection());

it('a toggled row is selected, and deselected by the next toggle', () => {
  toggleSelected('b');
  toggleSelected('d');
  expect(selected()).toEqual(['b', 'd']);
  toggleSelected('b');
  expect(selected()).toEqual(['d']);
});

it('a range begins at the focused row, and grows and shrinks, even past its beginning', () => {
  selectTo('d', 'c', ORDER);
  expect(selected()).toEqual(['c', 'd']);
  selectTo('e', 'd', ORDER);
  expect(selected()).toEqual(['c', 'd', 'e']);
  selectTo('d', 'e', ORDER);
  expect(selected()).toEqual(['c', 'd']);
  selectTo('a', 'd', ORDER);
  expect(selected()).toEqual(['c', 'b', 'a']);
});

it('a range keeps rows selected elsewhere', () => {
  toggleSelected('a');
  toggleSelected('c');
  selectTo('d', 'c', ORDER);
  expect(selected()).toEqual(['a', 'c', 'd']);
  selectAlso(['d', 'e']);
  expect(selected()).toEqual(['a', 'c', 'd', 'e']);
});

it('a range restarts when its beginning is no longer listed', () => {
  toggleSelected('gone');
  selectTo('b', 'a', ORDER);
  expect(selected()).toEqual(['gone', 'a', 'b']);
});

it('a command on a selected row applies to all selected processes still listed, otherwise to its own row', () => {
  processStore.setState({ processes: { a: processInfo({ key: 'a' }), b: processInfo({ key: 'b' }) } });
  selectAlso(['a', 'b', 'gone']);
  expect(meantBy('a', true)).toEqual(['a', 'b']);
  expect(meantBy('a', false)).toEqual(['a']);
  expect(meantBy('c', true)).toEqual(['c']);
});
