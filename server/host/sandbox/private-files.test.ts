// Paths that hide the gateway's token and key, however they are stored and renewed: rule SB4.
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PrivateFiles } from './private-files.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'private-files-')));
});
afterEach(() => rmSync(base, { recursive: true }));

const at = (name: string): string => join(base, name);

function write(...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), name);
  }
}

/** Creates a link, or replaces an existing one. */
function link(name: string, target: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  symlinkSync(target, at('new-link'));
  renameSync(at('new-link'), at(name));
}

const NOT_HIDDEN = (folder: string): boolean => folder === base;
const privateFiles = (...names: string[]): PrivateFiles => new PrivateFiles(names.map(at), NOT_HIDDEN);

describe('[SB4] A private file', () => {
  it.each(['key.pem', 'token', 'with beside'])('is hidden together with its own folder: %s', (name) => {
    write(`own/${name}`, 'own/README', 'own/fullchain.pem', 'own/ca.crt');
    const files = privateFiles(`own/${name}`);
    expect(files.shared).toEqual([]);
    expect(files.places()).toEqual([at('own'), at(`own/${name}`)]);
  });

  it('stays hidden by that folder when other files are created in it, and when the file is removed', () => {
    write('own/token');
    const files = privateFiles('own/token');
    write('own/other', 'own/token.new');
    expect(files.places()).toEqual([at('own'), at('own/token')]);
    rmSync(at('own/token'));
    expect(files.places()).toEqual([at('own')]);
  });

  it.each(['notes.txt', '.git/config', 'token.bak'])(
    'is hidden alone, and listed as shared, beside %s',
    (other) => {
      write('shared/token', `shared/${other}`);
      const files = privateFiles('shared/token');
      expect(files.shared).toEqual([at('shared/token')]);
      expect(files.places()).toEqual([at('shared/token')]);
    },
  );

  it('is hidden alone, and listed as shared, in a folder for others', () => {
    write('key.pem');
    const files = privateFiles('key.pem');
    expect(files.shared).toEqual([at('key.pem')]);
    expect(files.places()).toEqual([at('key.pem')]);
  });

  it('is hidden with all of its versions, as certbot keeps them', () => {
    write('archive/site/privkey1.pem', 'archive/site/fullchain1.pem', 'live/site/README');
    link('live/site/privkey.pem', '../../archive/site/privkey1.pem');
    link('live/site/fullchain.pem', '../../archive/site/fullchain1.pem');
    const files = privateFiles('live/site/privkey.pem');
    expect(files.shared).toEqual([]);
    expect(files.places().slice(0, 2)).toEqual([at('live/site'), at('archive/site')]);
  });

  it('is hidden with all of its versions, as Kubernetes keeps them', () => {
    write('tls/..2026_1/tls.key', 'tls/..2026_1/tls.crt');
    link('tls/..data', '..2026_1');
    link('tls/tls.key', '..data/tls.key');
    link('tls/tls.crt', '..data/tls.crt');
    const files = privateFiles('tls/tls.key');
    expect(files.shared).toEqual([]);
    expect(files.places()).toContain(at('tls'));
  });

  it('is listed as shared when a folder in its path is a link beside other files', () => {
    write('v1/key.pem', 'notes.txt');
    link('current', 'v1');
    const files = privateFiles('current/key.pem');
    expect(files.shared).toEqual([at('current/key.pem')]);
    expect(files.places()).toEqual([at('v1'), at('v1/key.pem')]);
  });

  it('stays hidden when its link is changed to the next version', () => {
    write('shared/key-1', 'shared/key-2', 'shared/notes.txt');
    link('shared/key', 'key-1');
    const files = privateFiles('shared/key');
    files.places();
    link('shared/key', 'key-2');
    expect(files.places()).toEqual([at('shared/key-1'), at('shared/key-2')]);
  });

  it('stays hidden when other links are circular or dangling', () => {
    write('own/key.pem');
    link('own/round', 'round');
    link('own/gone', 'nowhere');
    const files = privateFiles('own/key.pem', 'own/round', 'own/gone');
    expect(files.places()).toEqual([at('own'), at('own/key.pem')]);
  });
});

it.runIf(process.platform === 'linux')(
  '[SB21] a file at a path that is not UTF-8 is refused, and recognized',
  () => {
    const folder = Buffer.concat([Buffer.from(at('b')), Buffer.from([0xff])]);
    mkdirSync(folder);
    symlinkSync(folder, at('link'));
    writeFileSync(at('link/token'), '');
    write('decoy');
    const files = privateFiles('link/token', 'missing');
    expect(files.places()).toEqual([at('b\ufffd/token')]);
    expect(() => files.refuseByteNames()).toThrow('is not UTF-8');
    expect(() => privateFiles('decoy', 'missing').refuseByteNames()).not.toThrow();
  },
);
