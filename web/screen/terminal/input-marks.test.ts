// Names of people who type, and how often they are shown.
import { expect, it } from 'vitest';
import { InputMarks } from './input-marks.ts';

it('a typing person is named once, and again after a while or after another person has typed', () => {
  const marks = new InputMarks({ session: 's1', who: 'somebody', atMs: 100 });
  const isNews = (session: string, atMs: number): boolean =>
    marks.isNews({ session, who: 'somebody', atMs }, 'own');
  expect(marks.isNews(null, 'own')).toBe(false);
  expect(isNews('s1', 100)).toBe(false);
  expect(isNews('s1', 200)).toBe(false);
  expect(isNews('s2', 300)).toBe(true);
  expect(isNews('s2', 400)).toBe(false);
  expect(isNews('own', 500)).toBe(false);
  expect(isNews('s2', 600)).toBe(true);
  expect(isNews('s2', 700)).toBe(false);
  expect(isNews('s2', 31_000)).toBe(true);
});
