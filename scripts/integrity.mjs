// Vite plugin for subresource integrity: the page contains the hash of each of its scripts, so that a browser runs
// no other script in its place, even if another program serves the address when a script is loaded.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const integrity = {
  name: 'integrity',
  apply: 'build',
  writeBundle({ dir }) {
    const page = join(dir, 'index.html');
    const scripts = readdirSync(join(dir, 'assets')).filter((name) => name.endsWith('.js'));
    const read = (name) => readFileSync(join(dir, 'assets', name));
    writeFileSync(page, withIntegrity(readFileSync(page, 'utf8'), scripts, read));
  },
};

/**
 * Returns the page with an import map of the scripts' hashes before its first script. Tags that load a script also get
 * the hash as the attribute `integrity`, because a preload without this attribute is not used.
 */
export function withIntegrity(html, scripts, read) {
  const hashes = Object.fromEntries(
    scripts.map((name) => [
      `./assets/${name}`,
      `sha384-${createHash('sha384').update(read(name)).digest('base64')}`,
    ]),
  );
  const map = `<script type="importmap">${JSON.stringify({ integrity: hashes })}</script>`;
  return html
    .replace(
      /(?<=(?:src|href)=")(\.\/assets\/[^"]+\.js)"/g,
      (_, path) => `${path}" integrity="${hashes[path]}"`,
    )
    .replace(/^ *<script /m, (script) => `    ${map}\n${script}`);
}
