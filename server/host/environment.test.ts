// The six steps of the environment policy, as tables.
import { describe, expect, it } from 'vitest';
import { childEnvironment, proofsIn, type EnvironmentRequest } from './environment.ts';

const own = {
  PATH: '/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  SHELL: '/bin/zsh',
  EDITOR: 'vi',
  API_KEY: 'k',
  my_secret_2: 's',
  Tokenizer: 't',
  CONF_PATH: 'p',
  CONF_OTHER: 'o',
  'A[B]': 'brackets',
  EMPTY: '',
  ABSENT: undefined,
  EXEC_CONSOLE_STATE: 'ours',
  CODEX_EXEC_SERVER_URL: 'ws://127.0.0.1:7420/?token=ours',
};

type Policy = NonNullable<EnvironmentRequest['envPolicy']>;
const all: Policy = { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };
const withPolicy = (changes: Partial<Policy>, env: Record<string, string> = {}) =>
  childEnvironment({ env, envPolicy: { ...all, ...changes }, tty: false, own, loginShell: own.SHELL });

it('[SC2] proofsIn returns the names of variables of the gateway that contain a credential', () => {
  expect(proofsIn({ ...own, EXEC_CONSOLE_TOKEN: 't', EXEC_CONSOLE_URL: 'ws://h/' })).toEqual([
    'CODEX_EXEC_SERVER_URL',
    'EXEC_CONSOLE_TOKEN',
  ]);
  expect(proofsIn({ EXEC_CONSOLE_TOKEN: '', EXEC_CONSOLE_URL: 'ws://h/?a&token=t' })).toEqual([
    'EXEC_CONSOLE_URL',
  ]);
});

describe('Without a policy', () => {
  it('a child has exactly the given variables', () => {
    expect(
      childEnvironment({ env: { A: '' }, envPolicy: null, tty: false, own, loginShell: own.SHELL }),
    ).toEqual({ A: '' });
  });

  it.each([
    { given: {}, expected: { SHELL: '/bin/zsh' } },
    { given: { SHELL: '/bin/sh' }, expected: { SHELL: '/bin/sh' } },
    { given: { SHELL: '' }, expected: { SHELL: '' } },
  ])('a terminal also has SHELL: $given', ({ given, expected }) => {
    expect(childEnvironment({ env: given, envPolicy: null, tty: true, own, loginShell: own.SHELL })).toEqual(
      expected,
    );
  });
});

describe('A policy', () => {
  const rows: { rule: string; policy: Partial<Policy>; env?: Record<string, string>; names: string[] }[] = [
    {
      rule: '[SC2] with inherit all takes everything except likely secrets and the gateway’s own variables',
      policy: {},
      names: ['PATH', 'HOME', 'LANG', 'SHELL', 'EDITOR', 'CONF_PATH', 'CONF_OTHER', 'A[B]', 'EMPTY'],
    },
    {
      rule: 'with inherit core takes only the core names that are set',
      policy: { inherit: 'core' },
      names: ['PATH', 'HOME', 'LANG', 'SHELL'],
    },
    { rule: 'with inherit none takes nothing', policy: { inherit: 'none' }, names: [] },
    {
      rule: '[SC2] takes secrets on request, but never the gateway’s own variables',
      policy: {
        ignoreDefaultExcludes: true,
        exclude: ['[!AEMT]*', 'A[B]', 'E*', '?ATH', 'HOME', 'LANG', 'SHELL', 'conf*'],
      },
      names: ['API_KEY', 'my_secret_2', 'Tokenizer'],
    },
    {
      rule: 'applies exclude, then includeOnly',
      policy: { exclude: ['CONF_P*'], includeOnly: ['CONF_P*', 'CONF_O*'] },
      names: ['CONF_OTHER'],
    },
    {
      rule: 'matches patterns with whole names',
      policy: { includeOnly: ['ONF_OTHER', 'CONF', 'pat?'] },
      names: ['PATH'],
    },
    {
      rule: 'takes brackets in patterns literally',
      policy: { includeOnly: ['a[b]', '[AB]'] },
      names: ['A[B]'],
    },
    {
      rule: 'does not apply exclude to set',
      policy: { inherit: 'none', exclude: ['A*'], set: { A_TOKEN: '1' } },
      names: ['A_TOKEN'],
    },
    {
      rule: 'applies includeOnly to set, but not to env',
      policy: { inherit: 'none', set: { A: '1', B: '2' }, includeOnly: ['B'] },
      env: { API_KEY: 'mine' },
      names: ['B', 'API_KEY'],
    },
  ];

  it.each(rows)('$rule', ({ policy, env, names }) => {
    expect(Object.keys(withPolicy(policy, env)).sort()).toEqual([...names].sort());
  });

  it('is overridden by set, which is overridden by env', () => {
    const result = withPolicy({ set: { HOME: 'set', LANG: 'set' } }, { LANG: 'größer' });
    expect([result['PATH'], result['HOME'], result['LANG'], result['EMPTY']]).toEqual([
      '/bin',
      'set',
      'größer',
      '',
    ]);
  });

  it('passes on the URL of an exec-server when it contains no credential', () => {
    const url = { CODEX_EXEC_SERVER_URL: 'ws://127.0.0.1:7420/' };
    const inherited = childEnvironment({
      env: {},
      envPolicy: all,
      tty: false,
      own: url,
      loginShell: own.SHELL,
    });
    expect(inherited).toEqual(url);
  });

  it('adds no SHELL to a terminal', () => {
    expect(
      childEnvironment({
        env: {},
        envPolicy: { ...all, inherit: 'none' },
        tty: true,
        own,
        loginShell: own.SHELL,
      }),
    ).toEqual({});
  });
});
