// Tests that no file request reaches the files of processes, memory or disks: rule FS8.
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at, call, expectCode, uri, withFilesFolder } from '../../testing/files-folder.ts';

withFilesFolder();

/** Another process of the same user. */
const OTHER = process.ppid;

describe.runIf(process.platform === 'linux')('A file request', () => {
  const PATHS = [
    '/proc/self/mem',
    '/proc/self/environ',
    '/proc/self/maps',
    '/proc/self/task/self/../../mem',
    '/proc/thread-self/mem',
    '/proc/self/fd/0',
    '/proc/self/fd/1',
    '/proc/../proc/self/./mem',
    `/proc/${process.pid}/mem`,
    `/proc/${process.pid}/task/${process.pid}/environ`,
    `/proc/${OTHER}/environ`,
    `/proc/${OTHER}/fd/0`,
    '/dev/fd/1',
    '/dev/stdout',
    '/proc/mounts',
    '/proc/kcore',
    '/dev/mem',
    '/dev/sda',
    '/dev/vda',
  ].filter((path) => !path.startsWith('/dev/') || existsSync(path));

  it.each(PATHS)('[FS8] refuses %s', async (path) => {
    await expectCode(-32600, 'readFile', { path: `file://${path}` });
    await expectCode(-32600, 'open', { handleId: 'h', path: `file://${path}` });
    await expect(call('open', { handleId: 'h', path: `file://${path}` })).rejects.toThrow('cannot access');
    await expect(call('copy', copyOf(`file://${path}`))).rejects.toThrow('cannot access');
    await expect(call('writeFile', { path: `file://${path}`, dataBase64: '' })).rejects.toThrow(
      'cannot access',
    );
  });

  it.each(['/proc/self/mem', '/proc/self', '/proc/self/fd/0', '/proc/self/fd/1'])(
    '[FS8] refuses links that lead to %s',
    async (path) => {
      symlinkSync(path, at('link'));
      symlinkSync('link', at('again'));
      for (const name of ['link', 'again'])
        await expect(call('open', { handleId: 'h', path: uri(name) })).rejects.toThrow('cannot access');
    },
  );

  it('[FS8] refuses to copy the tree of all processes', async () => {
    await expect(call('copy', copyOf('file:///proc'))).rejects.toThrow('cannot access');
    await expect(call('copy', copyOf('file:///proc/self/task'))).rejects.toThrow('cannot access');
  });

  it('[FS8] reads files of the kernel that belong to no process, and ordinary files through one', async () => {
    await expect(call('readFile', { path: 'file:///proc/version' })).resolves.toHaveProperty('dataBase64');
    await expect(call('getMetadata', { path: 'file:///dev/null' })).resolves.toMatchObject({ isFile: false });
    await expect(call('getMetadata', { path: 'file:///proc/self/cwd/package.json' })).resolves.toMatchObject({
      isFile: true,
    });
  });
});

/** True when mounts can be made in a separate namespace, whose end also removes them. */
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

it.runIf(mayMount)('[FS8] a file request refuses process files that are mounted in another folder', () => {
  const script = `
    mkdir -p "$2/proc" "$2/one" && touch "$2/mem"
    mount -t proc proc "$2/proc" || mount --bind /proc "$2/proc"
    mount --bind /proc/$$ "$2/one"
    mount --bind /proc/$$/mem "$2/mem"
    exec "$0" --import tsx --input-type=module -e "$1"`;
  const program = `
    import { refuseProcessFile, refuseProc } from ${JSON.stringify(join(import.meta.dirname, 'process-files.ts'))};
    const outcome = (act) => act.then(() => 'read', () => 'refused');
    const paths = ['proc/1/environ', 'proc/self/mem', 'one/environ', 'one', 'mem', 'proc/version', 'plain'];
    const each = await Promise.all(paths.map((path) => outcome(refuseProcessFile('${at('tree')}/' + path))));
    console.log([...each, await outcome(refuseProc('${at('tree')}/proc')), await outcome(refuseProc('${at('tree')}'))].join(' '));`;
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['--mount', 'sh', '-c', script, process.execPath, program, at('tree')],
    { cwd: join(import.meta.dirname, '../../..'), encoding: 'utf8' },
  );
  expect(stdout.trim(), stderr).toBe('refused refused refused refused refused read read refused read');
});

const copyOf = (sourcePath: string): object => ({
  sourcePath,
  destinationPath: uri('copy'),
  recursive: true,
});
