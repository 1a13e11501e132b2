// Conditions for blaming a process's failure on its sandbox.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FAILED, processInfo, SUCCEEDED, TERMINATED } from '../../protocol/testing/process-info.ts';
import { isDenied } from '../../text/process-words.ts';
import { SandboxNote } from './sandbox-note.tsx';

const denied = { sandbox: 'read-only', sandboxDenied: true } as const;

it('A process that failed by itself gets the note that its sandbox probably blocked it', () => {
  const info = processInfo({ ...FAILED, ...denied });
  expect(isDenied(info)).toBe(true);
  expect(renderToStaticMarkup(<SandboxNote info={info} />)).toContain('Probably blocked by its sandbox');
});

it.each([
  ['was terminated', TERMINATED],
  ['was interrupted by a key', { state: 'closed', exitCode: null, signal: 'SIGINT' } as const],
  ['ended with the gateway', { state: 'lost' } as const],
  ['succeeded', SUCCEEDED],
  ['still runs', {}],
])('A process that %s gets no such note', (_, given) => {
  const info = processInfo({ ...given, ...denied });
  expect(isDenied(info)).toBe(false);
  expect(renderToStaticMarkup(<SandboxNote info={info} />)).not.toContain('failed');
});
