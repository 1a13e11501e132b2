// Input from other sessions that gets a marker: the first, and later input after a pause or a change of session.
import { expect, it } from 'vitest';
import { InputMarks } from './input-marks.ts';

it('a typing person is named once, and again after a while or after another person has typed', () => {
  const marks = new InputMarks({ session: 's1', who: 'somebody', atMs: 100 });
  const isNew = (session: string, atMs: number): boolean =>
    marks.isNew({ session, who: 'somebody', atMs }, 'own');
  expect(marks.isNew(null, 'own')).toBe(false);
  expect(isNew('s1', 100)).toBe(false);
  expect(isNew('s1', 200)).toBe(false);
  expect(isNew('s2', 300)).toBe(true);
  expect(isNew('s2', 400)).toBe(false);
  expect(isNew('own', 500)).toBe(false);
  expect(isNew('s2', 600)).toBe(true);
  expect(isNew('s2', 700)).toBe(false);
  expect(isNew('s2', 31_000)).toBe(true);
});
