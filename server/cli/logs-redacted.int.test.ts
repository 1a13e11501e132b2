// exec-console logs --redact, also where the beginning of a secret is missing: rules SC6 and SC9.
import { expect, it } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';

const token = `ghp_${'aB3'.repeat(12)}`;

it('[SC6] logs masks known secrets only with --redact', async () => {
  const script = `printf 'a ${token.slice(0, 9)}'; sleep 0.1; printf '${token.slice(9)} b'`;
  const line = await CommandLine.start();
  await line.outcome(['run', '--label', 'secret', '--', 'sh', '-c', script]);
  expect((await line.outcome(['logs', 'secret'])).stdout.toString()).toBe(`a ${token} b`);
  const masked = await line.outcome(['logs', '--redact', 'secret']);
  await line.stop();
  expect(masked.stdout.toString()).toBe(`a ghp_${'*'.repeat(36)} b`);
});

it('[SC9] logs masks the rest of a secret whose beginning was evicted with --redact', async () => {
  const unrecorded = await CommandLine.start({ flags: ['--record', 'off'] });
  const script = `i=0; while [ $i -lt 30000 ]; do echo ${token}; i=$((i+1)); done`;
  await unrecorded.outcome(['run', '-l', 'cut', '--', 'sh', '-c', script]);
  const { stdout, stderr } = await unrecorded.outcome(['logs', '--redact', 'cut']);
  await unrecorded.stop();
  expect(stderr).toContain('are missing here');
  const [first = '', ...others] = stdout.toString().trimEnd().split('\n');
  expect(first).toMatch(/^\**$/);
  expect(new Set(others)).toEqual(new Set([`ghp_${'*'.repeat(36)}`]));
});
