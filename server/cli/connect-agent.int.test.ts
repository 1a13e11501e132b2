// exec-console connect and hook, and decisions that a hook waits for, with a real gateway.
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  existsSync,
  lstatSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';
import { Tokens } from '../policy/tokens.ts';
import { agentToken } from './agent-token.ts';

let line: CommandLine;
let home: string;
beforeAll(async () => {
  line = await CommandLine.start();
  home = line.env['HOME'] ?? '';
});
afterAll(() => line.stop());

const connect = (...args: string[]) => line.outcome(['connect', ...args]);

describe('connect', () => {
  it.each([
    [
      'claude',
      '.claude/settings.json',
      '{\n    "model": "x",\n    "hooks": { "PreToolUse": [{ "matcher": "Edit", "hooks": [] }] }\n}\n',
    ],
    ['gemini', '.gemini/settings.json', '{"theme":"dark"}'],
    ['opencode', '.config/opencode/opencode.json', '{\n\t"permission": {\n\t\t"bash": "ask"\n\t}\n}\n'],
    ['cursor', '.cursor/mcp.json', null],
    ['vscode', '.config/Code/User/mcp.json', '{ "servers": { "other": { "command": "x" } } }\n'],
    [
      'codex',
      '.codex/environments.toml',
      'default = "mine"\n\n[[environments]]\nid = "mine"\nurl = "ws://x"\n',
    ],
  ])(
    '[CN1] adds the entries for %s once, keeps everything else, and removes all of them on --undo',
    async (agent, file, before) => {
      const path = join(home, file);
      mkdirSync(join(path, '..'), { recursive: true });
      if (before !== null) writeFileSync(path, before);
      const first = await connect(agent, '--yes');
      expect([first.code, first.stderr]).toEqual([0, '']);
      const after = readFileSync(path, 'utf8');
      if (before !== null && file.endsWith('.json')) {
        const [old, now] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[];
        expect(Object.keys(now ?? {})).toEqual(expect.arrayContaining(Object.keys(old ?? {})));
      }
      for (const remaining of ['"model": "x"', '"Edit"', '"dark"', '"other"', 'id = "mine"'])
        if (before?.includes(remaining.replace(/^"model": /, '')))
          expect(after).toContain(remaining.replace(/^"model": /, ''));
      expect((await connect(agent, '--yes')).stdout.toString()).toContain('Nothing to change');
      expect((await connect(agent, '--undo', '--yes')).code).toBe(0);
      expect(existsSync(path) ? readFileSync(path, 'utf8') : null).toBe(before);
    },
  );

  it('[CN1] --undo revokes the token, and the agent’s commands get no new one until it is connected again', async () => {
    const file = join(home, 'undone.json');
    const [state, again] = [line.stateDir, ['cursor', '--file', file, '--yes']];
    const token = (): string => readFileSync(join(state, 'agents', 'cursor.token'), 'utf8').trim();
    await connect(...again);
    const first = token();
    expect(new Tokens(state).verify(first)).toMatchObject({ name: 'cursor', role: 'agent' });
    // A copy is not the file that was connected, so `--undo` for the copy leaves the token valid.
    const other = join(home, 'other.json');
    writeFileSync(other, readFileSync(file));
    await connect('cursor', '--file', other, '--undo', '--yes');
    expect(new Tokens(state).verify(first)).not.toBeNull();
    expect((await connect(...again, '--undo')).stdout.toString()).toContain('is revoked');
    expect(new Tokens(state).verify(first)).toBeNull();
    await expect(agentToken(state, 'cursor')).rejects.toThrow('connect it again');
    await connect(...again);
    expect(new Tokens(state).verify(token())).toMatchObject({ name: 'cursor', role: 'agent' });
  });

  it('[CN1] --undo keeps later changes of the person', async () => {
    const path = join(home, 'changed.json');
    writeFileSync(path, '{\n  "permission": {\n    "bash": "ask"\n  }\n}\n');
    await connect('opencode', '--file', path, '--yes');
    const connected = readFileSync(path, 'utf8');
    writeFileSync(path, connected.replace('"deny"', '{ "git *": "allow" }'));
    expect((await connect('opencode', '--file', path, '--undo', '--yes')).code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ permission: { bash: { 'git *': 'allow' } } });
  });

  it('[CN1] changes opencode’s settings file with comments if there is one', async () => {
    const [folder, before] = [join(home, 'jsonc', 'opencode'), '{\n  // Mine.\n  "theme": "x",\n}\n'];
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'opencode.jsonc');
    writeFileSync(path, before);
    const env = { XDG_CONFIG_HOME: join(home, 'jsonc') };
    expect((await line.outcome(['connect', 'opencode', '--yes'], { env })).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toMatch(/\/\/ Mine\.[^]*"deny"/);
    expect(existsSync(join(folder, 'opencode.json'))).toBe(false);
    expect((await line.outcome(['connect', 'opencode', '--undo', '--yes'], { env })).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('[CN1] --undo restores the file of Codex as it was written', async () => {
    const path = join(home, 'written.toml');
    const before =
      '# Environments of this machine.\ndefault = "mine" # the usual\n\n\n[[environments]]\nid = "mine"\n\n';
    writeFileSync(path, before);
    expect((await connect('codex', '--file', path, '--yes')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('# Environments of this machine.');
    expect((await connect('codex', '--file', path, '--undo', '--yes')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('[CN1] shows the difference, and writes nothing before a person confirms', async () => {
    const { code, stdout, stderr } = await connect('gemini');
    expect(code).toBe(1);
    expect(stdout.toString()).toMatch(/^\+ .*BeforeTool/m);
    expect(stderr).toContain('nothing was written');
    expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toBe('{"theme":"dark"}');
  });

  it.each([
    ['is no JSON', '{ "hooks": }\n'],
    ['would lose a comment', '{\n  "hooks": {\n    "PreToolUse": [\n      // mine\n    ]\n  }\n}\n'],
  ])('[CN1] does not change a file that %s, and prints what to do', async (_, text) => {
    const path = join(home, 'damaged.json');
    writeFileSync(path, text);
    const { code, stderr } = await connect('claude', '--file', path, '--yes');
    expect([code, readFileSync(path, 'utf8')]).toEqual([1, text]);
    expect(stderr).toContain('--print');
    const undone = await connect('claude', '--file', path, '--undo', '--yes');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(undone.stderr).not.toContain('defect');
  });

  it('[CN3] prints where the commands appear, or that no gateway is running', async () => {
    const file = join(home, 'new', 'settings.json');
    const done = await connect('claude', '--file', file, '--yes');
    expect(done.stdout.toString()).toMatch(
      /^Written\. Start Claude Code: its commands appear at http:\/\/127\.0\.0\.1:\d+\/?\. /m,
    );
    const nowhere = ['--state-dir', join(home, 'elsewhere')];
    const alone = await connect('cursor', '--file', join(home, 'new', 'mcp.json'), '--yes', ...nowhere);
    expect(alone.stdout.toString()).toMatch(
      /^Written, but no gateway is running with this state folder; start one/m,
    );
    const printed = await connect('cursor', '--print', ...nowhere);
    expect(printed.stderr).toContain('no gateway is running with this state folder');
    expect(() => JSON.parse(printed.stdout.toString()) as unknown).not.toThrow();
  });

  it('[CN3] names the state folder in the settings unless it is the default', async () => {
    const printed = async (env: Record<string, string>, ...flags: string[]) =>
      (await line.outcome(['connect', 'claude', '--print', ...flags], { env })).stdout.toString();
    const usual = join(home, '.local', 'state');
    expect(await printed({ XDG_STATE_HOME: usual })).not.toContain('--state-dir');
    const other = join(home, 'other-state');
    expect(await printed({ XDG_STATE_HOME: other })).toContain(
      `'--state-dir' '${join(other, 'exec-console')}'`,
    );
  });

  it('[CN1] refuses a pipe at once, and writes through a link whose file does not exist yet', async () => {
    const [pipe, link] = [join(home, 'pipe.json'), join(home, 'link.json')];
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await connect('claude', '--file', pipe, '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is not a file')]);
    symlinkSync('later.json', link);
    expect((await connect('claude', '--file', link, '--yes')).code).toBe(0);
    expect([lstatSync(link).isSymbolicLink(), existsSync(join(home, 'later.json'))]).toEqual([true, true]);
  });

  it.each(['claude', 'gemini', 'opencode', 'codex'])(
    '[CN1][CL13] names an unreadable file of %s, and does not change it',
    async (agent) => {
      const path = join(home, `broken-${agent}`);
      writeFileSync(path, '{ bad');
      const { code, stderr } = await connect(agent, '--file', path, '--yes');
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} cannot be changed: `)]);
      expect(readFileSync(path, 'utf8')).toBe('{ bad');
    },
  );

  it('[CN2] makes a file that gets a token unreadable for others, whatever its mode was', async () => {
    const path = join(home, 'open.toml');
    writeFileSync(path, '# mine\n');
    chmodSync(path, 0o664);
    expect((await connect('codex', '--file', path, '--yes')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('auth_bearer_token');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('[CN2] gives an agent a token with fewer rights than an admin’s', async () => {
    const path = join(home, 'fewer.toml');
    await connect('codex', '--file', path, '--yes');
    const [, token = ''] = /auth_bearer_token = "(.*)"/.exec(readFileSync(path, 'utf8')) ?? [];
    expect(new Tokens(line.stateDir).find(token)).toMatchObject({ name: 'codex', role: 'agent' });
    expect((await connect('claude', '--print')).stdout.toString()).not.toContain('token');
  });
});

describe('the hook that is configured', () => {
  const event = {
    session_id: 's1',
    cwd: '/tmp',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'echo "it ran" in $PWD; exit 4', description: 'Tries it' },
    tool_use_id: 'toolu_9',
  };
  const hooked = async (value: object, env: Readonly<Record<string, string>> = {}, ...flags: string[]) => {
    const { code, stdout } = await line.outcome(['hook', '--agent', 'hooked', ...flags], {
      input: JSON.stringify(value),
      env,
    });
    const output = stdout.toString();
    return {
      code,
      answer: output === '' ? null : (JSON.parse(output) as Record<string, Record<string, unknown>>),
    };
  };
  const decided = async (how: string): Promise<void> => {
    const id = await vi.waitFor(async () => {
      const [found] = await line.approvals();
      if (!found) throw new Error('nothing waits');
      return found.id;
    }, 30_000);
    await line.outcome([how, id]);
  };

  it('[HK5] causes one approval and one row for one command, which runs in the gateway', async () => {
    await line.outcome(['policy', 'set', 'always', '--agent', 'hooked']);
    const [{ answer }] = await Promise.all([hooked(event), decided('approve')]);
    const { permissionDecision, updatedInput } = answer?.['hookSpecificOutput'] ?? {};
    expect(permissionDecision).toBe('allow');
    const { command } = updatedInput as { command: string };
    const child = spawn('/bin/sh', ['-c', command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: line.env,
      cwd: '/tmp',
    });
    const output = text(child.stdout);
    expect(await once(child, 'exit')).toEqual([4, null]);
    expect(await output).toBe('it ran in /tmp\n');
    const rows = (await line.processes()).filter(({ startedBy }) => startedBy === 'hooked');
    expect(rows).toMatchObject([{ metadata: { threadId: 's1', toolCallId: 'toolu_9' } }]);
  });

  it('[HK5] causes one approval for a command of an agent that names no call', async () => {
    await line.outcome(['policy', 'set', 'always', '--agent', 'hooked']);
    const tool_input = { command: 'echo ran' };
    const sent = { session_id: 's2', cwd: '/tmp', hook_event_name: 'BeforeTool', tool_input };
    const gemini = { ...sent, tool_name: 'run_shell_command' };
    const [{ answer }] = await Promise.all([hooked(gemini), decided('approve')]);
    const { tool_input: rewritten } = answer?.['hookSpecificOutput'] ?? {};
    const { command } = rewritten as { command: string };
    const child = spawn('/bin/sh', ['-c', command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: line.env,
      cwd: '/tmp',
    });
    expect(await text(child.stdout)).toBe('ran\n');
  });

  it('[HK5] causes one approval for a command whose shell has another PATH and editor than the hook', async () => {
    await line.outcome(['policy', 'set', 'always', '--agent', 'hooked']);
    const path = `${home}:${process.env['PATH']}`;
    const sent = { ...event, tool_use_id: 'toolu_10', tool_input: { command: 'echo "$PATH $GIT_EDITOR"' } };
    const own = { PATH: path, GIT_EDITOR: 'vi' };
    const [{ answer }] = await Promise.all([hooked(sent, own), decided('approve')]);
    const { updatedInput } = answer?.['hookSpecificOutput'] ?? {};
    const { command } = updatedInput as { command: string };
    const env = { ...line.env, PATH: '/usr/bin:/bin', GIT_EDITOR: 'true' };
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], env, cwd: '/tmp' });
    expect(await text(child.stdout)).toBe(`${path} true\n`);
  });

  it('[HK5] requests approval before the agent would ask its user, under every policy', async () => {
    await line.outcome(['policy', 'set', 'never', '--agent', 'hooked']);
    const { answer: rewritten } = await hooked(event);
    const { permissionDecision, updatedInput } = rewritten?.['hookSpecificOutput'] ?? {};
    expect(permissionDecision).toBe('ask');
    const asked = { ...event, hook_event_name: 'PermissionRequest', tool_input: updatedInput };
    const [{ answer }] = await Promise.all([hooked(asked), decided('decline')]);
    expect(answer?.['hookSpecificOutput']?.['decision']).toEqual({
      behavior: 'deny',
      message: 'declined by cli',
    });
  });

  it('[HK6] prints nothing without a gateway, or refuses', async () => {
    const nowhere = ['--state-dir', join(home, 'nowhere')];
    expect(await hooked(event, {}, ...nowhere)).toEqual({ code: 0, answer: null });
    const { answer } = await hooked(event, {}, ...nowhere, '--when-away', 'refuse');
    expect(answer?.['hookSpecificOutput']).toMatchObject({ permissionDecision: 'deny' });
    const unread = await line.outcome(['hook'], { input: 'no event' });
    expect([unread.code, unread.stdout.toString()]).toEqual([0, '']);
  });

  it('[HK6] also refuses, without a gateway, a command that it has rewritten, which does not run either', async () => {
    const other = await CommandLine.start();
    try {
      await other.outcome(['policy', 'set', 'never', '--agent', 'hooked']);
      const ran = join(home, 'ran-away');
      const refusing = ['--state-dir', other.stateDir, '--when-away', 'refuse'];
      const sent = { ...event, tool_input: { command: `touch '${ran}'` } };
      const { answer } = await hooked(sent, {}, ...refusing);
      const { updatedInput } = answer?.['hookSpecificOutput'] ?? {};
      const again = { ...event, permission_mode: 'bypassPermissions', tool_input: updatedInput };
      expect(await hooked(again, {}, ...refusing)).toEqual({ code: 0, answer: null });
      other.gateway.kill('SIGTERM');
      await once(other.gateway, 'exit');
      const { answer: refused } = await hooked(again, {}, ...refusing);
      expect(refused?.['hookSpecificOutput']).toMatchObject({ permissionDecision: 'deny' });
      const { command } = updatedInput as { command: string };
      const child = spawn('/bin/sh', ['-c', command], { stdio: 'ignore', env: line.env, cwd: '/tmp' });
      expect(await once(child, 'exit')).toEqual([126, null]);
      expect(existsSync(ran)).toBe(false);
    } finally {
      await other.stop();
    }
  });

  it('[HK6] withdraws its request when it is ended', async () => {
    await line.outcome(['policy', 'set', 'always', '--agent', 'hooked']);
    const child = line.spawn(['hook', '--agent', 'hooked']);
    child.stdin?.end(JSON.stringify({ ...event, tool_use_id: 'toolu_10' }));
    const waiting = async () => JSON.stringify(await line.approvals());
    await vi.waitFor(async () => expect(await waiting()).toContain('it ran'), 30_000);
    child.kill('SIGTERM');
    await vi.waitFor(async () => expect(await waiting()).not.toContain('it ran'), 30_000);
  });
});
