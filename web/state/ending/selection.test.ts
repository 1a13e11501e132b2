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
import { processInfo } from '../../testing/process-info.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const selected = (): readonly string[] => selectionStore.getState().keys;

beforeEach(() => clearSelection());

it('takes one more, and gives it back', () => {
  toggleSelected('b');
  toggleSelected('d');
  expect(selected()).toEqual(['b', 'd']);
  toggleSelected('b');
  expect(selected()).toEqual(['d']);
});

it('a range begins where one stands, grows and shrinks, also past its beginning', () => {
  selectTo('d', 'c', ORDER);
  expect(selected()).toEqual(['c', 'd']);
  selectTo('e', 'd', ORDER);
  expect(selected()).toEqual(['c', 'd', 'e']);
  selectTo('d', 'e', ORDER);
  expect(selected()).toEqual(['c', 'd']);
  selectTo('a', 'd', ORDER);
  expect(selected()).toEqual(['c', 'b', 'a']);
});

it('a range leaves what was selected elsewhere', () => {
  toggleSelected('a');
  toggleSelected('c');
  selectTo('d', 'c', ORDER);
  expect(selected()).toEqual(['a', 'c', 'd']);
  selectAlso(['d', 'e']);
  expect(selected()).toEqual(['a', 'c', 'd', 'e']);
});

it('a range begins anew when its beginning is not listed any more', () => {
  toggleSelected('gone');
  selectTo('b', 'a', ORDER);
  expect(selected()).toEqual(['gone', 'a', 'b']);
});

it('a key on a selected row means all that are selected and known, elsewhere the one', () => {
  processStore.setState({ processes: { a: processInfo({ key: 'a' }), b: processInfo({ key: 'b' }) } });
  selectAlso(['a', 'b', 'gone']);
  expect(meantBy('a', true)).toEqual(['a', 'b']);
  expect(meantBy('a', false)).toEqual(['a']);
  expect(meantBy('c', true)).toEqual(['c']);
});
