// Lists third-party code that ships, bundled or installed, with its licences.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const FILE_NAME = 'THIRD-PARTY-NOTICES.md';
const PARTS = ['dist/web', 'dist/server'];

/**
 * Vite plugin: writes the licences of everything bundled, fonts included, next to the build; for the server's build,
 * also those of runtime dependencies.
 */
export const notices = {
  name: 'notices',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    // A file that a style sheet refers to, such as a font, is not a module, so its original path is used.
    const ids = Object.values(bundle).flatMap((part) => part.moduleIds ?? part.originalFileNames ?? []);
    const bundled = new Set([...ids, ...this.getModuleIds()].map(folderOf));
    const needed = this.environment.config.build.ssr
      ? ({ dev, devOptional }) => !dev && !devOptional
      : () => false;
    const entries = lockedPackages()
      .filter((each) => bundled.has(each.folder) || needed(each))
      .map(
        ({ name, version, license, folder }) => `## ${name} ${version} (${license})\n${licenceText(folder)}`,
      );
    writeFileSync(join(dir, FILE_NAME), `# Third-party notices\n\n${entries.join('\n')}`);
  },
};

/** Returns `name@version` for everything that ships, according to the last build. */
export function shipped() {
  const headings = PARTS.flatMap((part) => [
    ...readFileSync(`${ROOT}${part}/${FILE_NAME}`, 'utf8').matchAll(/^## (\S+) (\S+) \(/gm),
  ]);
  return new Set(headings.map(([, name, version]) => `${name}@${version}`));
}

/** Returns all packages of the lock file, sorted by name. */
export function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'));
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, entry]) => ({ ...entry, folder, name: folder.split('node_modules/').at(-1) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const folderOf = (id) => /^.*(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];

/**
 * Returns a package's licence text; empty if there is none, or if the package is not installed on this
 * platform.
 */
function licenceText(folder) {
  try {
    const file = readdirSync(ROOT + folder).find((name) => /^(licen[sc]e|copying)/i.test(name));
    return file === undefined ? '' : `\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`;
  } catch {
    return '';
  }
}
