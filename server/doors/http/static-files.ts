// Files of the built page, all read at the start, so that no requested path reaches the file system.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
  /** Size of the uncompressed file. */
  readonly bytes: number;
  /** The file, or its brotli version if that is smaller. */
  readonly body: Buffer;
  readonly isPacked: boolean;
  /** Hashes of a page's import maps, its only inline scripts, as sources of a content security policy. */
  readonly inlineScripts: readonly string[];
}

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.json': 'application/json',
  // Browsers download Markdown but display text.
  '.md': 'text/plain; charset=utf-8',
};

/** Returns the page's files by URL path, without those of unknown types; throws when the page is not built. */
export function loadPage(dir: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const paths = entriesOf(dir).flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
  for (const path of paths) {
    const type = TYPES[extname(path)];
    const name = `/${relative(dir, path).split(sep).join('/')}`;
    if (!type) continue;
    const inlineScripts = extname(path) === '.html' ? inlineScriptsOf(readFileSync(path, 'utf8')) : [];
    files.set(name, { type, ...load(path, paths), cacheControl: cacheControlOf(name), inlineScripts });
  }
  const index = files.get('/index.html');
  if (!index) throw new Error(`there is no page in ${dir}; build it first: npm run build`);
  return files.set('/', index);
}

function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true });
  } catch (cause) {
    throw new Error(`there is no page in ${dir}; build it first: npm run build`, { cause });
  }
}

/**
 * Returns the cache policy of a file. Names below assets/ have a hash of the content, which Vite adds, so these files
 * never change.
 */
const cacheControlOf = (name: string): string =>
  name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

const inlineScriptsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<script type="importmap">([^]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );

function load(
  path: string,
  paths: readonly string[],
): Pick<StaticFile, 'etag' | 'bytes' | 'body' | 'isPacked'> {
  const bytes = statSync(path).size;
  const brotli = `${path}.br`;
  const isPacked = paths.includes(brotli) && statSync(brotli).size < bytes;
  const body = readFileSync(isPacked ? brotli : path);
  // The tag is weak, since it is the same for the compressed and the uncompressed body.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { etag, bytes, body, isPacked };
}
