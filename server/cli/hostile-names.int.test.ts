// Names, commands and errors with hidden characters in the output of commands; and reserved names.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
});
afterAll(() => line.stop());

it('[HC3] commands print names, commands and errors without control, hidden or bidi characters', async () => {
  const hostile = 'a\u001b[2J\u009b\u00ad\u061c\u115f\u180e\u200b\u202e\u2066\u3164\ufeff\ufffa\u{e0041}\nz';
  await line.outcome(['run', '-T', '-l', hostile, '--', 'sh', '-c', 'exit 3', hostile]);
  const name = `no ${hostile}`;
  const outcomes = await Promise.all(
    [
      ['ps', '-a'],
      ['ps', '-a', '--json'],
      ['attach', name],
      ['stop', '--grace', name, 'x'],
      ['token', 'revoke', name],
      ['run', '-C', `/${hostile}`, '--', 'true'],
      ['run', '-T', '--', `/${hostile}`],
      ['run', `--${hostile}`, '--', 'true'],
      [`--${hostile}`],
      [name],
    ].map((args) => line.outcome(args)),
  );
  for (const { stdout, stderr } of outcomes) {
    const output = `${stdout.toString()}${stderr}`;
    expect(output).toMatch(/a\\(?:x1b|u001b)\[2J/);
    expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u3164]/u);
    // Keys may begin with z, so only the word z at the start of a line counts.
    expect(output).not.toMatch(/^z(?![\w-])/m);
  }
});

it.each([
  ['link', ['link', '--name', 'page 2']],
  ['token', ['token', 'create', 'page 2', '--role', 'observer']],
])('[AU15] a %s cannot have a name that the gateway assigns itself', async (_, args) => {
  expect(await line.outcome(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('reserved') });
});
