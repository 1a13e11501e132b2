// People by name, each once; this page's user is marked.
import { expect, it } from 'vitest';
import type { Person } from '../../../protocol/activity.ts';
import type { ConnectionState } from '../../../client/connection-state.ts';
import { everybody, inControl, mayBeGiven, nameOf, watchersOf } from './people.ts';

const person = (
  connection: string,
  name: string,
  role: Person['role'] = 'operator',
  sinceMs = 0,
  token = name,
): Person => ({
  connection,
  token,
  name,
  role,
  sinceMs,
});
const connection = { kind: 'online', connection: 'c1', session: 's1', role: 'operator' } as ConnectionState;
const people = [
  person('c3', 'Olga', 'observer', 5),
  person('c4', 'Ada', 'operator', 9),
  person('c1', 'page', 'operator', 7),
  person('c2', 'page', 'operator', 8),
];
const present = { people, connection };

it('nameOf names the page’s own user, that user’s other tabs, other people, and unknown connections', () => {
  expect(['c1', 'c2', 'c4', 'c9'].map((label) => nameOf(label, present))).toEqual([
    'you',
    'you, in another tab',
    'Ada',
    'another connection',
  ]);
  expect(inControl('c2', present)).toBe('You are in control in another tab');
  expect(inControl('c4', present)).toBe('Ada is in control');
  expect(inControl('c9', present)).toBe('Another connection is in control');
});

it('everybody lists each person once, the page’s own user first', () => {
  expect(everybody(present).map(({ name, isOwn, connections }) => [name, isOwn, connections.length])).toEqual(
    [
      ['page', true, 2],
      ['Olga', false, 1],
      ['Ada', false, 1],
    ],
  );
});

it('everybody lists two people with the same name separately', () => {
  const namesakes = [person('a', 'Kim', 'observer', 0, 't1'), person('b', 'Kim', 'operator', 0, 't2')];
  expect(everybody({ people: namesakes, connection })).toHaveLength(2);
});

it('a person with the same name but another token is not the page’s own user', () => {
  const namesakes = [person('c1', 'page', 'operator', 0, 't1'), person('c2', 'page', 'operator', 0, 't2')];
  expect(nameOf('c2', { people: namesakes, connection })).toBe('page');
  expect(everybody({ people: namesakes, connection }).map(({ isOwn }) => isOwn)).toEqual([true, false]);
});

it('mayBeGiven lists the people who may control a process, except its controller', () => {
  const given = (controller: string | null): unknown =>
    mayBeGiven(present, controller).map(({ name, isOwn, connections }) => [name, isOwn, connections]);
  expect(given(null)).toEqual([
    ['page', true, ['c2']],
    ['Ada', false, ['c4']],
  ]);
  expect(given('c4')).toEqual([['page', true, ['c2']]]);
  expect(given('c2')).toEqual([['Ada', false, ['c4']]]);
});

it('watchersOf names the other watchers and escapes hidden characters in names', () => {
  expect(watchersOf(['c1', 'c4', 'c3', 'c9', 'c8'], present)).toEqual(['Ada', 'Olga', 'another connection']);
  expect(nameOf('x', { people: [person('x', 'A\u202eda')], connection })).toBe('A\\u202eda');
});
