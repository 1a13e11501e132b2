// The operator's floor, tested with policies only.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorIntent, narrowed } from './floor.ts';
import { inWords } from './in-words.ts';
import { accessAt, depth, type Grant, type Policy } from './policy.ts';

const path = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }).map((names) => `/${names.join('/')}`);
const policy = fc
  .record({
    grants: fc.uniqueArray(fc.record({ path, access: fc.constantFrom('read' as const, 'write' as const) }), {
      selector: (grant) => grant.path,
      maxLength: 6,
    }),
    network: fc.constantFrom('restricted' as const, 'enabled' as const),
  })
  .map(({ grants, network }): Policy => {
    const others = grants.filter((grant) => grant.path !== '/');
    const all = [{ path: '/', access: 'read' as const }, ...others].map((grant): Grant => ({
      ...grant,
      kind: 'folder',
    }));
    return { grants: all.toSorted((a, b) => depth(a.path) - depth(b.path)), denied: [], network };
  });

describe('[SB10] narrowed', () => {
  it('allows at every path only the access that both policies allow', () => {
    fc.assert(
      fc.property(policy, policy, path, (one, other, at) => {
        const both = narrowed(one, other);
        const isWritable = [one, other].every(({ grants }) => accessAt(grants, at) === 'write');
        expect(accessAt(both.grants, at)).toBe(isWritable ? 'write' : 'read');
        expect(both.network === 'enabled').toBe(one.network === 'enabled' && other.network === 'enabled');
      }),
    );
  });

  it('denies every path that either policy denies', () => {
    const root: Grant = { path: '/', access: 'read', kind: 'folder' };
    const denying = (...paths: string[]): Policy => ({
      grants: [root],
      denied: paths.map((one) => ({ path: one, kind: 'file' })),
      network: 'enabled',
    });
    expect(narrowed(denying('/a', '/s'), denying('/s')).denied.map((place) => place.path)).toEqual([
      '/a',
      '/s',
    ]);
  });

  it('denies only the outer one of two places, whichever policy denies it', () => {
    const root: Grant = { path: '/', access: 'read', kind: 'folder' };
    const denying = (path: string): Policy => ({
      grants: [root],
      denied: [{ path, kind: 'folder' }],
      network: 'enabled',
    });
    const outer = [{ path: '/a', kind: 'folder' }];
    expect(narrowed(denying('/a'), denying('/a/s')).denied).toEqual(outer);
    expect(narrowed(denying('/a/s'), denying('/a')).denied).toEqual(outer);
  });

  it('refuses a missing denied path outside what the floor leaves writable, and accepts one inside', () => {
    const grant = (at: string, access: Grant['access']): Grant => ({ path: at, access, kind: 'folder' });
    const wanted = (at: string): Policy => ({
      grants: [grant('/', 'read'), grant('/repo', 'write'), grant('/out', 'write')],
      denied: [{ path: at, kind: 'missing' }],
      network: 'restricted',
    });
    const floor: Policy = {
      grants: [grant('/', 'read'), grant('/repo', 'write')],
      denied: [],
      network: 'restricted',
    };
    expect(() => narrowed(wanted('/out/index.lock'), floor)).toThrow(
      '/out/index.lock is denied but does not exist',
    );
    expect(narrowed(wanted('/repo/.env'), floor).denied).toEqual([{ path: '/repo/.env', kind: 'missing' }]);
  });
});

describe('[SB10] The floor', () => {
  it('grants no write access when it is read-only', () => {
    const { permissions } = floorIntent('read-only', {
      cwd: '/shop',
      workspaceRoots: null,
      chosen: [],
    });
    expect(permissions.file_system.entries).toHaveLength(1);
    expect(permissions.network).toBe('restricted');
  });
});

describe('inWords', () => {
  const grant = (at: string, access: Grant['access']): Grant => ({ path: at, access, kind: 'folder' });
  const denied = (...paths: string[]): Policy['denied'] =>
    paths.map((one) => ({ path: one, kind: 'folder' }));

  it.each<[Policy, string]>([
    [
      { grants: [grant('/', 'read')], denied: denied('/state'), network: 'restricted' },
      'read-only; no network',
    ],
    [{ grants: [grant('/', 'write')], denied: [], network: 'enabled' }, 'writes everywhere; network'],
    [
      {
        grants: [grant('/', 'read'), grant('/w', 'write'), grant('/tmp', 'write'), grant('/w/.git', 'read')],
        denied: denied('/state', '/w/.env'),
        network: 'restricted',
      },
      'writes to /w and /tmp; not to /w/.git; cannot see /w/.env; no network',
    ],
    [
      {
        grants: [grant('/', 'read'), ...'abcdefgh'.split('').map((name) => grant(`/${name}`, 'write'))],
        denied: [],
        network: 'enabled',
      },
      'writes to /a, /b, /c, /d, /e, /f and 2 more; network',
    ],
  ])('describes policy %# as: %s', (one, words) => {
    expect(inWords(one, ['/state'])).toBe(words);
  });
});
