// Short names that still tell processes of one program apart.
import { expect, it } from 'vitest';
import { processInfo } from '../testing/process-info.ts';
import { distinctions, processTitle } from './process-title.ts';

it.each([
  [['/usr/bin/python3', '-u', '/work/shop/train.py', '--epochs=3'], 'python3 train.py'],
  [['/usr/bin/npm', 'run', 'dev'], 'npm run dev'],
  [['node', '--watch', './server.js'], 'node server.js'],
  [['ls', '-la'], 'ls -la'],
  [['/bin/bash'], 'bash'],
  [['/bin/sh', '-c', ' cargo build --release '], 'cargo build --release'],
  [['git', 'log', 'origin/main'], 'git log origin/main'],
  [['cat', '/'], 'cat /'],
  [['echo', 'a b', '\u202e'], String.raw`echo 'a b' '\u202e'`],
])('%j is called %s', (argv, title) => {
  expect(processTitle({ label: null, argv })).toBe(title);
});

it('is what a person called it', () => {
  expect(processTitle({ label: 'front end', argv: ['npm', 'run', 'dev'] })).toBe('front end');
});

it('tells the same by their folders, else by their PIDs, and leaves others alone', () => {
  const of = (key: string, argv: string[], cwd: string, pid = 1) => processInfo({ key, argv, cwd, pid });
  const told = distinctions([
    of('a', ['bash'], '/work/shop'),
    of('b', ['/bin/bash'], '/work/api/'),
    of('c', ['sleep', '1'], '/work', 7),
    of('d', ['sleep', '1'], '/work', 8),
    of('e', ['sleep', '2'], '/work', 9),
  ]);
  expect([...told]).toEqual([
    ['a', 'shop'],
    ['b', 'api'],
    ['c', 'PID 7'],
    ['d', 'PID 8'],
  ]);
});
