// Variables that change what runs: rule RL5.
import { expect, it } from 'vitest';
import { changedVariables } from './variables.ts';

const OWN = {
  PATH: '/usr/bin:/srv/people/ada/bin:bin',
  HOME: '/srv/people/ada',
  NODE_OPTIONS: '--x',
  LANG: 'C',
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
  [{ NODE_OPTIONS: '--x' }, []],
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
  [{ HOME: '/tmp' }, ['HOME']],
  [{ 'BASH_FUNC_ls%%': '() { touch x; }' }, ['BASH_FUNC_ls%%']],
  [{ npm_config_script_shell: '/tmp/x' }, ['npm_config_script_shell']],
  [{ FOO: 'x', HTTP_PROXY: 'y' }, []],
] as [Record<string, string>, string[]][])(
  '[RL5] changedVariables names dangerous variables that differ: %j',
  (env, names) => {
    expect(changedVariables(env, OWN)).toEqual(names);
  },
);
