// Tests of the environment variables that change which program runs: rules RL5 and AP24.
import { expect, it } from 'vitest';
import { changedVariables, readBy } from './variables.ts';

const OWN = {
  PATH: '/usr/bin:/srv/people/ada/bin:bin',
  HOME: '/srv/people/ada',
  NODE_OPTIONS: '--x',
  LANG: 'C',
  OWN_PROGRAM_FLAGS: '--x',
};

it.each([
  [{ PATH: '/usr/bin:/bin' }, []],
  [{ PATH: '/srv/people/ada/bin/:/usr/bin' }, []],
  [{ PATH: OWN.PATH }, []],
  [{ PATH: '/tmp:/usr/bin' }, ['PATH']],
  [{ PATH: '/usr/bin:bin' }, ['PATH']],
  [{ PATH: '/usr/bin:' }, ['PATH']],
  [{ PATH: '' }, ['PATH']],
  [{ BASH_ENV: '/tmp/x', ENV: '/tmp/y' }, ['BASH_ENV', 'ENV']],
  [
    { LD_PRELOAD: '/tmp/x.so', LD_LIBRARY_PATH: '/tmp', LD_AUDIT: 'x' },
    ['LD_AUDIT', 'LD_LIBRARY_PATH', 'LD_PRELOAD'],
  ],
  [{ NODE_OPTIONS: '--require /tmp/x' }, ['NODE_OPTIONS']],
  [{ NODE_OPTIONS: '--x', OWN_PROGRAM_FLAGS: '--x' }, []],
  [{ PYTHONPATH: '/tmp', PYTHONSTARTUP: '/tmp/x' }, ['PYTHONPATH', 'PYTHONSTARTUP']],
  [{ PYTHONUNBUFFERED: '1', LD_PRELOAD: '' }, []],
  [
    { GIT_SSH_COMMAND: 'x', GIT_CONFIG_COUNT: '1', GIT_DIR: '/x' },
    ['GIT_CONFIG_COUNT', 'GIT_DIR', 'GIT_SSH_COMMAND'],
  ],
  [{ GIT_PAGER: 'cat', PAGER: 'cat', GH_PAGER: 'cat', NO_COLOR: '1', TERM: 'dumb', LANG: 'C.UTF-8' }, []],
  [{ GIT_EDITOR: 'true', EDITOR: ':' }, []],
  [{ GIT_EDITOR: 'touch x', EDITOR: 'true; x' }, ['EDITOR', 'GIT_EDITOR']],
  [{ GIT_PAGER: 'touch x' }, ['GIT_PAGER']],
  [{ DEBIAN_FRONTEND: 'noninteractive' }, []],
  [{ DEBIAN_FRONTEND: 'noninteractive; BEGIN { system("x") } #' }, ['DEBIAN_FRONTEND']],
  [{ DEBIAN_FRONTEND: '../x' }, ['DEBIAN_FRONTEND']],
  [{ USER: 'a[$(x)]', COLUMNS: '`x`', GIT_AUTHOR_NAME: '${x}' }, ['COLUMNS', 'GIT_AUTHOR_NAME', 'USER']],
  [{ GIT_AUTHOR_NAME: "Ada O'Neil (a; b) $5", LS_COLORS: 'di=01;34:*.x=1' }, []],
  [{ HOME: '/tmp' }, ['HOME']],
  [{ 'BASH_FUNC_ls%%': '() { touch x; }' }, ['BASH_FUNC_ls%%']],
  [{ npm_config_script_shell: '/tmp/x' }, ['npm_config_script_shell']],
  [{ FOO: 'x', HTTP_PROXY: 'y' }, ['FOO', 'HTTP_PROXY']],
  [{ LANGUAGE: 'de:en', LC_MESSAGES: '/tmp/x', LANG: '../x', TZ: 'Europe/Paris' }, ['LANG', 'LC_MESSAGES']],
  [{ LANGUAGE: 'de:../../tmp/x' }, ['LANGUAGE']],
  [{ LC_ALL: 'C', TZ: 'UTC', CI: '1', CODEX_THREAD_ID: 't', GIT_AUTHOR_NAME: 'Ada', PWD: '/srv' }, []],
  [
    {
      TAR_OPTIONS: '--checkpoint-action=exec=id',
      GNUMAKEFLAGS: '--eval=x',
      VIMINIT: ':!id',
      RSYNC_RSH: 'id',
    },
    ['GNUMAKEFLAGS', 'RSYNC_RSH', 'TAR_OPTIONS', 'VIMINIT'],
  ],
  [
    { DOTNET_STARTUP_HOOKS: '/tmp/x.dll', ERL_FLAGS: '-eval x', R_PROFILE: '/tmp/x', SHELL: '/tmp/x' },
    ['DOTNET_STARTUP_HOOKS', 'ERL_FLAGS', 'R_PROFILE', 'SHELL'],
  ],
  [
    { LC_x: 'y', lang: 'x', 'LANG ': 'x', GIT_AUTHOR_NAMES: 'x' },
    ['GIT_AUTHOR_NAMES', 'LANG ', 'LC_x', 'lang'],
  ],
] as [Record<string, string>, string[]][])(
  '[RL5] changedVariables names variables that differ and are not known to be harmless: %j',
  (env, names) => {
    expect(changedVariables({ PATH: '/usr/bin:/bin', ...env }, OWN)).toEqual(names);
  },
);

it('[RL5] changedVariables names a missing PATH, without which shells also search the working folder', () => {
  expect(changedVariables({ LANG: 'C' }, OWN)).toEqual(['PATH']);
  expect(changedVariables({}, {})).toEqual(['PATH']);
});

it.each([
  ['a name that the script contains', 'echo "$CI"', ['CI']],
  ['a part of a name', 'echo "$CIRCLE"', []],
  ['names that it may compute', 'eval "$(printenv C"I")"', ['CI', 'TERM']],
  ['any name, when it is too long to be searched', `# ${'x'.repeat(200_000)}`, ['CI', 'TERM']],
])('[AP24] readBy counts %s', (_, script, expected) => {
  expect(readBy(['bash', '-c', script], ['CI', 'SHLVL', 'TERM'])).toEqual(expected);
});
