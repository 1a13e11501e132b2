// A program that unseals and seals the segments of one recording over and over, until it is killed. Arguments: folder
// of all recordings, folder of the recording, folder with its plain segments.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Replacing } from '../record/replacing.ts';
import { sealSegment } from '../record/seal.ts';

const [root = '', folder = '', plain = ''] = process.argv.slice(2);
const replacing = new Replacing({ root, liveRecording: () => undefined, isRemoving: () => false });
replacing.prepare();
for (;;) {
  for (const name of readdirSync(plain)) {
    const path = join(folder, name);
    const copy = replacing.newPath();
    copyFileSync(join(plain, name), copy);
    replacing.place(copy, path, path, null);
    const to = replacing.newPath();
    const identity = sealSegment({ path, to });
    if (identity) replacing.place(to, path, path, identity);
    process.stdout.write('.');
  }
}
