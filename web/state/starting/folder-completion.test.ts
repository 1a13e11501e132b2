// Folders that are suggested for a typed path.
import { expect, it, test } from 'vitest';
import { foldersFor, MOST_OFFERED, typedPath } from './folder-completion.ts';

const folder = (fileName: string) => ({ fileName, isDirectory: true, isFile: false });
const file = (fileName: string) => ({ fileName, isDirectory: false, isFile: true });

test.each([
  ['/', { folder: '/', start: '' }],
  ['/usr/lo', { folder: '/usr/', start: 'lo' }],
  ['/usr/local/', { folder: '/usr/local/', start: '' }],
  ['~/sr', { folder: '/people/ada/', start: 'sr' }],
  ['~', { folder: '/people/', start: 'ada' }],
  ['usr', null],
  ['', null],
])('typedPath reads %j', (text, typed) => expect(typedPath(text, '/people/ada')).toEqual(typed));

it('foldersFor offers folders that begin with the typed text, and hidden ones after a dot', () => {
  const entries = [
    folder('src'),
    file('srv'),
    folder('.git'),
    folder('Sript'),
    folder('sra'),
    folder('docs'),
  ];
  expect(foldersFor({ folder: '/r/', start: 'sr' }, entries)).toEqual(['/r/sra', '/r/src', '/r/Sript']);
  expect(foldersFor({ folder: '/r/', start: '' }, entries)).not.toContain('/r/.git');
  expect(foldersFor({ folder: '/r/', start: '.' }, entries)).toEqual(['/r/.git']);
});

it('foldersFor offers a limited number', () => {
  const many = Array.from({ length: 5000 }, (_, index) => folder(`d${index}`));
  expect(foldersFor({ folder: '/', start: 'd' }, many)).toHaveLength(MOST_OFFERED);
});
