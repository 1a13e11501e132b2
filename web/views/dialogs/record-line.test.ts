// Lines of a saved audit log contain no raw hidden or control characters (HC3).
import { expect, it } from 'vitest';
import { recordLine } from './record-line.ts';

it('[HC3] a line of a saved audit log is one line for every reader, and has the same content', () => {
  const argv = ['a\n\u0085\u2028{"who":"admin"}\u001b[2J\u009b2J\u202egnp.exe'];
  const entry = {
    atMs: 0,
    number: 1,
    who: 'Ada',
    role: 'agent',
    token: 't',
    connection: 'c',
    from: '',
    act: 'start',
    key: 'k',
    details: { argv },
  } as const;
  const line = recordLine(entry);
  expect(line).toMatch(/^[\u0020-\u007e]+$/);
  expect(JSON.parse(line)).toMatchObject({ at: '1970-01-01T00:00:00.000Z', who: 'Ada', details: { argv } });
});
