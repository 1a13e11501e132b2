// Requests that make the gateway change files or reach other hosts for an agent.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { RequestMethod } from '../../protocol/methods.ts';
import { bytesText } from '../../text/amounts.ts';
import { visible } from '../../text/visible.ts';
import { realOf } from '../host/real-path.ts';
import type { RuleSet } from '../policy/rules/rule.ts';
import { answers } from '../sessions/answers.ts';
import type { Peer } from '../sessions/peer.ts';
import { asks, PLAIN, refuses, runs, type Asked, type Looked, type Under } from './asked.ts';
import { requesterOf, shownPath } from './start-question.ts';
import type { OnPointless, Question, Why } from './waiting.ts';
import { cutTo, headOf } from '../../text/cut.ts';

interface FileParams {
  readonly path?: string;
  readonly sourcePath?: string;
  readonly destinationPath?: string;
  readonly recursive?: boolean | null;
  readonly mode?: string | null;
}

const CHANGES: readonly string[] = ['fs/writeFile', 'fs/createDirectory', 'fs/remove', 'fs/copy', 'fs/open'];

/** Maximum time to resolve a path, since another program (such as a FUSE file system) can block it. */
const LONGEST_LOOK_MS = 2000;

/**
 * Returns null for a request that changes no file, and for every request under the operator's floor, which
 * limits it. A sandbox that the agent requests does not count, since the agent chooses what it permits.
 */
export function askedFile(
  { identity }: Pick<Peer, 'identity'>,
  method: RequestMethod,
  params: unknown,
  hasFloor: boolean,
): Asked | null {
  if (hasFloor || !CHANGES.includes(method)) return null;
  const { path, sourcePath, destinationPath, mode, ...rest } = params as FileParams;
  const recursive = rest.recursive ?? true;
  if (method === 'fs/open' && mode !== 'replace') return null;
  const file = shownPath(destinationPath ?? path ?? '');
  const source = sourcePath === undefined ? null : shownPath(sourcePath);
  const more = {
    kind: 'file',
    method,
    look: underAlways('it changes a file'),
    details:
      [
        ...(source === null ? [] : [`a copy of ${source}`]),
        ...(recursive && (method === 'fs/remove' || method === 'fs/copy') ? ['with all its contents'] : []),
      ].join(', ') || null,
  } as const;
  const places = async (): Promise<(string | null)[]> => {
    await answers(source === null ? [file] : [file, source], identity);
    return Promise.all([
      method === 'fs/remove' ? ownPlace(file) : realPlace(file),
      source === null ? null : ownPlace(source),
    ]);
  };
  const settled = async (): Promise<Asked> => {
    const [place = null, from = null] = await places();
    const isWhole = more.details !== null && recursive;
    return new AskedOutside({
      ...more,
      place: place ?? file,
      isStill: async () => (await places()).every((each, at) => each === [place, from][at]),
      details:
        [place === file ? null : `requested as ${file}`, more.details]
          .filter((each) => each !== null)
          .join(', ') || null,
      // The approval of an unresolved path is not remembered, because the path may lead anywhere.
      key:
        place === null || (source !== null && from === null)
          ? null
          : JSON.stringify([method, dirname(place), from && dirname(from), isWhole]),
    });
  };
  return new AskedOutside({ ...more, place: file, key: null, settled });
}

/** Returns the path with its folder resolved, but not a link at its end; null if the folder cannot be resolved. */
async function ownPlace(path: string): Promise<string | null> {
  const folder = await realPlace(dirname(path));
  return folder && join(folder, basename(path));
}

/** Returns the resolved path; null if it cannot be resolved within LONGEST_LOOK_MS. */
async function realPlace(path: string): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LONGEST_LOOK_MS).unref();
  });
  const place = await Promise.race([realOf(path).catch(() => null), late]);
  clearTimeout(timer);
  return place;
}

interface RequestParams {
  readonly url: string;
  readonly method: string;
  readonly bodyBase64?: string | null;
  readonly headers?: readonly { readonly name: string }[];
}

/**
 * Returns null for an invalid URL, which is refused when the request runs. `signal`: aborts when the request has
 * ended; only given for a redirect, since any other request begins after its approval.
 */
export function askedRequest(params: unknown, signal?: AbortSignal): Asked | null {
  const { url, method, bodyBase64, headers = [] } = params as RequestParams;
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, host, origin, pathname, search, username, password } = new URL(url);
  return new AskedOutside({
    kind: 'request',
    method: 'http/request',
    place: origin + pathname,
    details: [
      headOf(method, METHOD_CHARS),
      ...(username + password === '' ? [] : [`with ${shownLogin(username, password !== '')}`]),
      ...(search === '' ? [] : [`with the query ${shownPart(Buffer.from(search))}`]),
      ...(headers.length === 0 ? [] : [`with the headers ${shownNames(headers)}`]),
      ...(bodyBase64 ? [`with the body ${shownPart(Buffer.from(bodyBase64, 'base64'))}`] : []),
    ].join(', '),
    key: JSON.stringify(['request', method, protocol, host]),
    onPointless: signal ? whenAborted(signal) : null,
    look: (rules, under) => {
      const rule = rules.about(hostname.replace(/^\[|\]$/g, ''), protocol.slice(0, -1));
      if (rule?.decision === 'forbidden')
        return refuses(
          `a network rule forbids ${hostname}${rule.justification === null ? '' : `: ${rule.justification}`}`,
        );
      if (rule?.decision === 'prompt' && under.policy !== 'never')
        return asks(rule.justification ?? `a network rule requires approval for ${hostname}`);
      if (rule?.decision === 'allow' && under.tightened === null) return runs();
      return underAlways('it sends an HTTP request')(rules, under);
    },
  });
}

const whenAborted =
  (signal: AbortSignal): OnPointless =>
  (listener) => {
    const ended = (): void => listener('the request has ended');
    signal.addEventListener('abort', ended);
    return () => signal.removeEventListener('abort', ended);
  };

/**
 * Maximum number of bytes of a query or body that are shown in full; a longer one, or one that is not UTF-8, is
 * shown by size and hash.
 */
const SHOWN_BYTES = 8000;
/** Maximum number of characters shown of all header names together, and of the user in a URL. */
const NAMES_CHARS = 400;

function shownLogin(escapedUser: string, hasPassword: boolean): string {
  if (escapedUser === '') return 'a password but no user';
  return `${hasPassword ? 'a password for ' : ''}the user ${visible(headOf(escapedUser, NAMES_CHARS))}`;
}

function shownPart(bytes: Buffer): string {
  if (bytes.length <= SHOWN_BYTES && isUtf8(bytes)) return visible(bytes.toString('utf8'));
  return `of ${bytesText(bytes.length)}, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

function shownNames(headers: readonly { readonly name: string }[]): string {
  return cutTo(visible(headers.map(({ name }) => name).join(', ')), NAMES_CHARS);
}

/** Maximum length of the HTTP method that is shown. */
const METHOD_CHARS = 40;

const underAlways =
  (reason: string): Asked['look'] =>
  (_rules, { policy, tightened }) =>
    tightened !== null || policy === 'always' ? asks(tightened ?? reason) : runs();

interface Outside {
  readonly kind: 'file' | 'request';
  readonly method: string;
  readonly place: string;
  readonly details: string | null;
  readonly key: string | null;
  readonly look: Asked['look'];
  readonly onPointless?: OnPointless | null;
  readonly settled?: () => Promise<Asked>;
  readonly isStill?: () => Promise<boolean>;
}

class AskedOutside implements Asked {
  readonly isStart = false;
  readonly thread = null;
  readonly lacksSandbox = false;
  readonly asksOnce = false;
  readonly allVariables = null;
  readonly #outside: Outside;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  get key(): string | null {
    return this.#outside.key;
  }

  get onPointless(): OnPointless | null {
    return this.#outside.onPointless ?? null;
  }

  get settled(): (() => Promise<Asked>) | null {
    return this.#outside.settled ?? null;
  }

  get isStill(): (() => Promise<boolean>) | null {
    return this.#outside.isStill ?? null;
  }

  look(rules: RuleSet, under: Under): Looked {
    return this.#outside.look(rules, under);
  }

  question(peer: Peer, why: Why): Question {
    const { kind, method, place, details } = this.#outside;
    return { ...PLAIN, ...requesterOf(peer), ...why, kind, method, cwd: place, details };
  }
}
