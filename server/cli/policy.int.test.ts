// exec-console policy check and rules, with a gateway's state folder: rules RL1 and RL2.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RuleCheck } from '../../protocol/rules.ts';
import { CommandLine } from '../testing/command-line.ts';

let commands: CommandLine;
beforeAll(async () => {
  commands = await CommandLine.start();
  mkdirSync(join(commands.stateDir, 'rules'));
});
afterAll(() => commands.stop());

const write = (name: string, text: string): void =>
  writeFileSync(join(commands.stateDir, 'rules', name), text);

it('[RL2] policy check names the matching rules and the verdict of each policy', async () => {
  write(
    'a.rules',
    'prefix_rule(pattern=["git"])\n\nprefix_rule(pattern=["git", "push"], decision="prompt")\n',
  );
  const { code, stdout, stderr } = await commands.outcome([
    'policy',
    'check',
    '--json',
    '--',
    'git',
    'push',
    '--force',
  ]);
  expect(code).toBe(0);
  // The gateway of this state folder applies no rule before an admin accepts it.
  expect(stderr).toContain('a.rules has changed and is not applied until an admin accepts it');
  const check = JSON.parse(stdout.toString()) as RuleCheck;
  expect(check).toMatchObject({
    argv: ['git', 'push', '--force'],
    decision: 'prompt',
    complex: null,
    parts: [{ words: ['git', 'push', '--force'], decision: 'prompt' }],
    verdicts: { never: { verdict: 'run' }, 'on-request': { verdict: 'ask' }, always: { verdict: 'ask' } },
    proposedRules: [],
  });
  expect(check.matchedRules.map(({ line, decision }) => [line, decision])).toEqual([
    [1, 'allow'],
    [3, 'prompt'],
  ]);
  const { stdout: text } = await commands.outcome(['policy', 'check', 'bash', '--', '-lc', 'git status; ls']);
  expect(text.toString()).toMatch(/^allow +git status\nno rule +ls$/m);
  expect(text.toString()).toContain('/a.rules:1: prefix_rule(pattern=["git"], decision="allow")');
});

it('[RL1] policy check reports the position of a syntax error, reads --rules, and requires a command', async () => {
  write('b.rules', 'prefix_rule(pattern=["x"]\n');
  const broken = await commands.outcome(['policy', 'check', '--', 'ls']);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain('/b.rules:2:1: expected ",", not the end of the file');
  await expect
    .poll(async () => (await commands.outcome(['policy', 'rules'])).stdout.toString())
    .toMatch(/^# every agent command waits for approval: the rules cannot be used: .*b\.rules:2:1: /);
  write('b.rules', '');
  const more = join(commands.stateDir, 'more');
  writeFileSync(more, 'prefix_rule(pattern=["ls"], decision="forbidden", justification="no")');
  const refused = await commands.outcome(['policy', 'check', '--rules', more, '--', '/tmp/ls']);
  expect(refused.stdout.toString()).toMatch(/^never +is refused: .* forbids: no$/m);
  expect((await commands.outcome(['policy', 'check'])).code).toBe(2);
});

it('[RL1] policy check refuses a pipe in place of a file of rules, and does not wait for it', async () => {
  const pipe = join(commands.stateDir, 'pipe.rules');
  execFileSync('mkfifo', [pipe]);
  const { code, stderr } = await commands.outcome(['policy', 'check', '--rules', pipe, '--', 'ls']);
  expect(code).toBe(1);
  expect(stderr).toContain('/pipe.rules is not a regular file');
});

it('policy rules shows two lines that changed places', async () => {
  const rules = (push: string, fetch: string): string =>
    [
      ['push', push],
      ['fetch', fetch],
    ]
      .map(
        ([word, decision]) => `prefix_rule(\n  pattern=["git", "${word}"],\n  decision="${decision}",\n)\n`,
      )
      .join('');
  write('c.rules', rules('forbidden', 'allow'));
  const found = (): Promise<string> =>
    commands.outcome(['policy', 'rules']).then(({ stdout }) => stdout.toString());
  await expect.poll(found).toContain('+   decision="forbidden",');
  const { stdout } = await commands.outcome(['token', 'create', 'boss', '--role', 'admin']);
  const env = { EXEC_CONSOLE_URL: commands.url, EXEC_CONSOLE_TOKEN: stdout.toString().trim() };
  expect(await commands.outcome(['policy', 'accept'], { env })).toMatchObject({ code: 0 });
  write('c.rules', rules('allow', 'forbidden'));
  await expect
    .poll(found)
    .toContain('    pattern=["git", "push"],\n-   decision="forbidden",\n+   decision="allow",\n');
});
