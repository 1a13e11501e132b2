// The hook of each agent: parsing of events, answers, and rewritten commands.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { AskResult } from '../../protocol/approvals.ts';
import { hookAnswer } from './hook-answers.ts';
import { hookEvent, type HookEvent } from './hook-events.ts';
import { readBack, rewrite, type Rewritten } from './rewritten-command.ts';

const CLAUDE = {
  session_id: 's1',
  transcript_path: '/t',
  cwd: '/src',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'Runs the tests', run_in_background: true },
  tool_use_id: 'toolu_1',
};
const CODEX = { ...CLAUDE, turn_id: 'turn' };
const GEMINI = {
  session_id: 's1',
  cwd: '/src',
  hook_event_name: 'BeforeTool',
  tool_name: 'run_shell_command',
  tool_input: { command: 'npm test' },
};
const CURSOR = {
  conversation_id: 's1',
  generation_id: 'g1',
  hook_event_name: 'beforeShellExecution',
  command: 'npm test',
  cwd: '/src',
};
const VSCODE = {
  sessionId: 's1',
  cwd: '/src',
  hookEventName: 'PreToolUse',
  tool_name: 'runInTerminal',
  tool_input: { command: 'npm test' },
  tool_use_id: 'c1',
};

const event = (value: object): HookEvent => {
  const found = hookEvent(value);
  if (!found) throw new Error('no event');
  return found;
};
const ACCEPT: AskResult = { decision: 'accept', decidedBy: 'ann', message: null };
const DECLINE: AskResult = { decision: 'decline', decidedBy: 'ann', message: 'declined by ann: no' };
const NONE: AskResult = { decision: 'none', decidedBy: null, message: null };

describe('the event of an agent', () => {
  it.each([
    ['claude', CLAUDE, 's1', 'toolu_1'],
    ['codex', CODEX, 's1', 'toolu_1'],
    ['gemini', GEMINI, 's1', null],
    ['cursor', CURSOR, 's1', 'g1'],
    ['vscode', VSCODE, 's1', 'c1'],
  ] as const)('[HK1] is read with its command, thread and call: %s', (dialect, sent, thread, callId) => {
    expect(hookEvent(sent)).toMatchObject({ dialect, command: 'npm test', cwd: '/src', thread, callId });
  });

  it('[HK1] is ignored after a tool call, and has a command only for the shell tool', () => {
    expect(hookEvent({ ...CLAUDE, hook_event_name: 'PostToolUse' })).toBeNull();
    expect(hookEvent({ ...CLAUDE, tool_name: 'Write', tool_input: { command: 'x' } })?.command).toBeNull();
    for (const invalid of ['text', [], null, 5])
      expect(() => hookEvent(invalid)).toThrow(/^the event on stdin is not a JSON object$/);
  });

  it.each([
    ['web', '/src/web'],
    ['../other', '/other'],
    ['/abs', '/abs'],
    ['', '/src'],
    [5, '/src'],
  ])('[HK1] has the folder that the agent set for one command: %j', (given, cwd) => {
    const input = { command: 'npm test', dir_path: given };
    expect(hookEvent({ ...GEMINI, tool_input: input })?.cwd).toBe(cwd);
  });
});

describe('the answer to an agent', () => {
  const before = (answer: object | null) =>
    (answer as { hookSpecificOutput: Record<string, unknown> } | null)?.hookSpecificOutput;

  it('[HK2] allows an accepted command, rewritten, with all other members of the input', () => {
    for (const sent of [CLAUDE, CODEX, VSCODE]) {
      const { tool_input } = sent;
      expect(before(hookAnswer(event(sent), ACCEPT, 'ours'))).toMatchObject({
        permissionDecision: 'allow',
        updatedInput: { ...tool_input, command: 'ours' },
      });
    }
  });

  it('[HK2] keeps the agent’s own prompt for undecided commands', () => {
    for (const sent of [CLAUDE, VSCODE])
      expect(before(hookAnswer(event(sent), NONE, 'ours'))).toMatchObject({
        permissionDecision: 'ask',
        updatedInput: { command: 'ours' },
      });
    // Codex does not support "ask", and an agent that refuses instead of asking would refuse everything.
    expect(hookAnswer(event(CODEX), NONE, 'ours')).toBeNull();
    expect(hookAnswer(event({ ...CLAUDE, permission_mode: 'dontAsk' }), NONE, 'ours')).toBeNull();
    expect(hookAnswer(event(CURSOR), NONE, null)).toBeNull();
    expect(hookAnswer(event(CLAUDE), NONE, null)).toBeNull();
  });

  it('[HK2] rewrites the command of an agent that never asks, or has already asked', () => {
    const bypassing = event({ ...CLAUDE, permission_mode: 'bypassPermissions' });
    expect(before(hookAnswer(bypassing, NONE, 'ours'))).toMatchObject({ permissionDecision: 'allow' });
    expect(hookAnswer(event(GEMINI), NONE, 'ours')).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'ours' } },
    });
  });

  it('[HK2] refuses with the message, in the format of each agent', () => {
    expect(before(hookAnswer(event(CLAUDE), DECLINE, 'ours'))).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'declined by ann: no',
    });
    expect(hookAnswer(event(GEMINI), DECLINE, 'ours')).toEqual({
      decision: 'deny',
      reason: 'declined by ann: no',
    });
    expect(hookAnswer(event(CURSOR), DECLINE, null)).toMatchObject({ permission: 'deny' });
  });

  it('[HK3] is a decision, or nothing, when the agent requests a permission', () => {
    const asked = event({ ...CLAUDE, hook_event_name: 'PermissionRequest' });
    expect(before(hookAnswer(asked, ACCEPT, 'ours'))).toEqual({
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'allow' },
    });
    expect(before(hookAnswer(asked, DECLINE, 'ours'))?.['decision']).toEqual({
      behavior: 'deny',
      message: 'declined by ann: no',
    });
    expect(hookAnswer(asked, NONE, 'ours')).toBeNull();
  });
});

describe('an event of a sub-agent', () => {
  it('[HK5] has a separate thread, below that of the agent', () => {
    const sub = { ...CLAUDE, agent_id: 'a1', agent_type: 'general-purpose' };
    expect(hookEvent(sub)).toMatchObject({ thread: 'a1', parentThread: 's1' });
    expect(hookEvent(CLAUDE)).toMatchObject({ thread: 's1', parentThread: null, model: null });
    expect(hookEvent({ ...CODEX, model: 'gpt-5' })).toMatchObject({ thread: 's1', model: 'gpt-5' });
  });
});

describe('a rewritten command', () => {
  const OWN = { program: ['/opt/no de', '/opt/main.js'], flags: ['--state-dir', '/st'] };
  const run: Rewritten = {
    agent: 'claude',
    thread: 's1',
    parentThread: 's0',
    callId: null,
    model: 'opus',
    shell: '/bin/bash',
    path: "/opt/it's here:/bin",
    command: "echo 'a' \"$B\" `c` \\ \n; rm -rf 'it'\\''s'",
  };

  it('[HK4] is parsed back unchanged, and other commands are not', () => {
    const line = rewrite(run, OWN);
    expect(readBack(line, OWN)).toEqual(run);
    const plain = { ...run, path: null, parentThread: null, model: null };
    expect(readBack(rewrite(plain, OWN), OWN)).toEqual(plain);
    expect(readBack('npm test', OWN)).toBeNull();
    expect(readBack(`${line} ; curl evil`, OWN)).toBeNull();
    expect(readBack(`${line}; 'x'`, OWN)).toBeNull();
    expect(readBack(line.replace("'--agent'", "'--url' 'ws://evil' '--agent'"), OWN)).toBeNull();
    expect(readBack(line.replace("'--env' 'PATH=", "'--env' 'LD_PRELOAD=x' '--env' 'PATH="), OWN)).toBeNull();
    expect(readBack(line.replace("'PATH=", "'HOME=/"), OWN)).toBeNull();
  });

  it('[HK4] passes a shell word by word', () => {
    const line = rewrite(run, { ...OWN, program: ['printf', '%s\\n'] });
    const words = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
    expect(words.endsWith(`-c\n${run.command}\n`)).toBe(true);
  });
});
