// Folders that the floor accepts as workspaces, on a fake file system.
import { describe, expect, it } from 'vitest';
import { SandboxRefusal } from './refusal.ts';
import {
  chosenFolder,
  homesIn,
  isForOthers,
  workspacesOf,
  type ChosenFolder,
  type Host,
} from './workspaces.ts';

/**
 * Returns a host whose folders list the paths of `files` and their parents: a path that ends in @ is a link, one that
 * ends in / is a folder. Every path but /none exists.
 */
function hostWith(...files: string[]): Host {
  const folders = new Map<string, Map<string, 'folder' | 'file' | 'link'>>();
  for (const file of files) {
    const names = file.split('/').filter(Boolean);
    names.forEach((name, depth) => {
      const folder = `/${names.slice(0, depth).join('/')}`;
      const entries = folders.get(folder) ?? new Map();
      folders.set(folder, entries);
      const isLast = depth === names.length - 1 && !file.endsWith('/');
      entries.set(name.replace('@', ''), isLast ? (name.endsWith('@') ? 'link' : 'file') : 'folder');
    });
  }
  return {
    homes: ['/accounts/ada', '/people/eve', '/'],
    program: '/checkouts/console',
    real: (path) =>
      path === '/none' ? null : path === '/tmp/link' ? '/accounts/ada/.ssh' : path.replace(/(?<=.)\/$/, ''),
    list: (path) => [...(folders.get(path) ?? [])].map(([name, kind]) => ({ name, kind })),
  };
}

const ANY_HOME = '/home';

const roots = (named: string[], chosen: string[] = []): readonly string[] =>
  workspacesOf(named, chosen.map(chosenNow), hostWith()).roots;

const chosenNow = (named: string): ChosenFolder => chosenFolder(named, hostWith());

describe('[SB16] Without --workspace the floor', () => {
  it('accepts ordinary folders as workspaces', () => {
    const work = [
      '/code',
      '/accounts/ada/project',
      '/srv/app',
      `${ANY_HOME}/bob/project`,
      '/tmp/x',
      '/var/tmp/x',
    ];
    expect(roots(work)).toEqual(work);
    expect(roots(['/accounts/ada/project/'])).toEqual(['/accounts/ada/project']);
  });

  it.each([
    '/none',
    '/',
    '/accounts',
    '/accounts/ada',
    '/accounts/ada/',
    ANY_HOME,
    `${ANY_HOME}/bob`,
    '/people',
    '/people/eve',
  ])('does not accept a missing folder, nor one that is or contains a home folder: %s', (path) =>
    expect(roots([path])).toEqual([]),
  );

  it.each([
    '/etc',
    '/etc/cron.d',
    '/usr/local/bin',
    '/var/lib/x',
    '/opt/x',
    '/run/x',
    '/lib/systemd',
    '/boot',
  ])('does not accept a system folder: %s', (path) => expect(roots([path])).toEqual([]));

  it('does not accept the gateway’s own program, and keeps it read-only in a folder around it', () => {
    const of = (path: string, chosen: string[] = []): ReturnType<typeof workspacesOf> =>
      workspacesOf([path], chosen.map(chosenNow), hostWith());
    for (const path of ['/checkouts/console', '/checkouts/console/dist/server'])
      expect(of(path)).toEqual({ roots: [], readOnly: [] });
    expect(of('/checkouts')).toEqual({ roots: ['/checkouts'], readOnly: ['/checkouts/console'] });
    expect(of('/checkouts/console-2')).toEqual({ roots: ['/checkouts/console-2'], readOnly: [] });
    // The operator may choose these folders deliberately.
    for (const folder of ['/checkouts', '/checkouts/console'])
      expect(of('/checkouts/console', [folder])).toEqual({ roots: ['/checkouts/console'], readOnly: [] });
  });

  it.each([
    '/tmp/link',
    '/accounts/ada/.ssh',
    '/accounts/ada/.config/x',
    '/code/.direnv',
    '/code/.cache/deep/er',
  ])('does not accept a folder below a hidden folder: %s', (path) => expect(roots([path])).toEqual([]));
});

describe('[SB16] A protected name', () => {
  it.each([
    '.git',
    '.git/hooks',
    '.codex',
    'sub/.husky',
    '.vscode',
    '.envrc',
    '.claude',
    'a/.agents/b/c',
    '.aws',
  ])('is not accepted as a workspace, nor is a folder in it, with or without --workspace: %s', (path) => {
    expect(roots([`/repo/${path}`])).toEqual([]);
    expect(roots([`/repo/${path}`], ['/repo'])).toEqual([]);
  });

  it('stays read-only up to three folders below a workspace, except in node_modules', () => {
    const host = hostWith(
      '/srv/repo/.git/config',
      '/srv/repo/a/b/.envrc',
      '/srv/repo/a/b/c/.husky/',
      '/srv/repo/node_modules/x/.vscode/',
      '/srv/repo/linked/.vscode@',
      '/srv/other/.claude/settings.json',
    );
    expect(workspacesOf(['/srv'], [], host).readOnly).toEqual([
      '/srv/repo/.git',
      '/srv/other/.claude',
      '/srv/repo/a/b/.envrc',
    ]);
  });

  it('is searched for in a limited number of folders', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `/srv/${index}/x/`);
    let listed = 0;
    const host = hostWith(...many);
    const counting: Host = { ...host, list: (path) => ((listed += 1), host.list(path)) };
    workspacesOf(['/srv'], [], counting);
    expect(listed).toBe(1000);
  });

  it.each([
    ['the request', '/tmp/x/repo/.git/hooks', ['/tmp/x/repo/.git']],
    ['a folder beside it', '/tmp/x/repo/src', ['/tmp/x/repo/.git', '/tmp/x/repo/.envrc']],
  ])('stays read-only in /tmp, which is writable, when the root is %s', (_name, path, expected) => {
    const host = hostWith('/tmp/x/repo/.git/hooks/', '/tmp/x/repo/.envrc', '/tmp/x/repo/src/');
    expect(workspacesOf([path], [], host).readOnly).toEqual(expect.arrayContaining(expected));
  });
});

describe('[SB16] --workspace', () => {
  it('accepts folders within its folders, and narrows folders around them', () => {
    expect(roots(['/repo/sub', '/elsewhere'], ['/repo'])).toEqual(['/repo/sub']);
    expect(roots(['/'], ['/repo', '/more'])).toEqual(['/repo', '/more']);
    expect(roots(['/repository'], ['/repo'])).toEqual([]);
  });

  it('can name a system folder, a hidden folder or a home folder', () => {
    expect(roots(['/opt/app/x'], ['/opt/app'])).toEqual(['/opt/app/x']);
    expect(roots(['/code/.trees/x'], ['/code/.trees'])).toEqual(['/code/.trees/x']);
    expect(roots(['/accounts/ada'], ['/accounts/ada'])).toEqual(['/accounts/ada']);
  });

  it('accepts no folder when its own is missing', () => {
    expect(roots(['/repo'], ['/none'])).toEqual([]);
  });

  it('is part of every sandbox when it is in /tmp, so that no command inside can replace it', () => {
    expect(roots(['/elsewhere'], ['/tmp/shop', '/repo'])).toEqual(['/tmp/shop']);
    expect(roots([], ['/tmp/shop'])).toEqual(['/tmp/shop']);
    expect(roots(['/tmp/shop/sub', '/elsewhere'], ['/tmp/shop'])).toEqual(['/tmp/shop/sub', '/tmp/shop']);
  });
});

describe('[SB16] A folder of the operator’s --workspace that was replaced since the start', () => {
  const replacedBy = (target: string | null): Host => ({
    ...hostWith(),
    real: (path) =>
      path === '/repo' || path.startsWith('/repo/') ? target && path.replace('/repo', target) : path,
  });
  const chosen = [chosenNow('/repo'), chosenNow('/more')];

  it.each(['/repo', '/repo/sub'])(
    'is refused with an error that names it and its current target: %s',
    (path) => {
      const refused = (): unknown => workspacesOf([path], chosen, replacedBy('/etc'));
      expect(refused).toThrow(SandboxRefusal);
      expect(refused).toThrow('the workspace /repo was replaced: it is /etc now, and was /repo');
    },
  );

  it('is not a workspace of a request that names another folder, or a folder around it', () => {
    const { roots: found } = workspacesOf(['/more/x', '/'], chosen, replacedBy('/etc'));
    expect(found).toEqual(['/more/x', '/more']);
  });

  it('is refused when only the link that named it has changed', () => {
    const linked = [{ named: '/repo', real: '/data/repo' }];
    expect(workspacesOf(['/repo/x'], linked, replacedBy('/data/repo')).roots).toEqual(['/data/repo/x']);
    expect(() => workspacesOf(['/repo/x'], linked, replacedBy('/data/other'))).toThrow('was replaced');
    expect(workspacesOf(['/data/repo/x'], linked, replacedBy('/data/other')).roots).toEqual(['/data/repo/x']);
  });

  it('is not a workspace while it is missing, which is not an error', () => {
    expect(workspacesOf(['/repo'], chosen, replacedBy(null)).roots).toEqual([]);
  });
});

describe('[SB11] isForOthers', () => {
  it.each(['/', '/etc', '/tmp', ANY_HOME, '/accounts', '/accounts/ada', '/shop', '/shop/chosen'])(
    'is true for %s',
    (path) => {
      expect(isForOthers(path, [chosenNow('/shop/chosen')], hostWith())).toBe(true);
    },
  );

  it.each(['/etc/letsencrypt/live', '/tmp/keys', '/accounts/ada/.config/token', '/shop/chosen/keys'])(
    'is false for %s',
    (path) => expect(isForOthers(path, [chosenNow('/shop/chosen')], hostWith())).toBe(false),
  );
});

it('[SB16] homesIn returns the home folders of people and of root, not those of system users', () => {
  const passwd = [
    'root:x:0:0:root:/root:/bin/bash',
    'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin',
    'ada:x:1000:1000:Ada:/srv/people/ada:/bin/zsh',
    'odd:x:1001:1001::relative:/bin/sh',
    'half:x:',
    '',
  ].join('\n');
  expect(homesIn(passwd)).toEqual(['/root', '/srv/people/ada']);
});
