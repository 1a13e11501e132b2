// Tests of the eviction of the oldest entries beyond a limit: rule LI17.
import { expect, it } from 'vitest';
import { OldestOut } from './oldest-out.ts';

const create = () => new OldestOut<string>({ entries: 4, size: 100, sizePerOwner: 60 });

it('[LI17] OldestOut evicts the oldest entry of an owner beyond the limit, and no other owner’s', () => {
  const books = create();
  expect(books.add('a1', 'a', 30)).toEqual([]);
  expect(books.add('b1', 'b', 10)).toEqual([]);
  expect(books.add('a2', 'a', 30)).toEqual([]);
  expect(books.add('a3', 'a', 20)).toEqual(['a1']);
  expect(books.count).toBe(3);
});

it('[LI17] OldestOut evicts the oldest entry of all beyond the total size or number', () => {
  const books = create();
  for (const [name, size] of [
    ['a', 50],
    ['b', 50],
  ] as const)
    expect(books.add(name, name, size)).toEqual([]);
  expect(books.add('c', 'c', 10)).toEqual(['a']);
  for (const name of ['d', 'e']) expect(books.add(name, name, 1)).toEqual([]);
  expect(books.add('f', 'f', 1)).toEqual(['b']);
});

it('[LI17] OldestOut evicts an entry that is too large by itself, and frees its size', () => {
  const books = create();
  expect(books.add('a', 'a', 61)).toEqual(['a']);
  expect(books.add('b', 'a', 60)).toEqual([]);
  books.remove('b');
  books.remove('b');
  expect(books.add('c', 'a', 60)).toEqual([]);
});
