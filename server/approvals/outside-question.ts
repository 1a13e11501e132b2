// Requests that change files or reach other hosts, made by the gateway for an agent.
import { dirname } from 'node:path';
import type { RequestMethod } from '../../protocol/methods.ts';
import type { RuleSet } from '../policy/rules/rule.ts';
import type { Peer } from '../sessions/peer.ts';
import { asks, PLAIN, refuses, runs, type Asked, type Looked, type Under } from './asked.ts';
import { shownPath, whose } from './start-question.ts';
import type { Question, Why } from './waiting.ts';

interface FileParams {
  readonly path?: string;
  readonly destinationPath?: string;
  readonly mode?: string | null;
  readonly sandbox?: object | null;
}

const CHANGES: readonly string[] = ['fs/writeFile', 'fs/createDirectory', 'fs/remove', 'fs/copy', 'fs/open'];

/** Null for what changes nothing, or only what a sandbox lets it. */
export function askedFile(method: RequestMethod, params: unknown, hasFloor: boolean): Asked | null {
  if (!CHANGES.includes(method)) return null;
  const { path, destinationPath, mode, sandbox } = params as FileParams;
  if (hasFloor || (sandbox ?? null) !== null) return null;
  if (method === 'fs/open' && mode !== 'replace') return null;
  const file = shownPath(destinationPath ?? path ?? '');
  return new AskedOutside({
    kind: 'file',
    method,
    place: file,
    key: `file ${dirname(file)}`,
    look: underAlways('changes a file outside any sandbox'),
  });
}

/** Null for what is no address: it is refused when it takes effect. */
export function askedRequest(params: unknown): Asked | null {
  const { url } = params as { readonly url: string };
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, host, origin, pathname } = new URL(url);
  return new AskedOutside({
    kind: 'request',
    method: 'http/request',
    // The query may hold a secret.
    place: origin + pathname,
    key: `request ${protocol}//${host}`,
    look: (rules, under) => {
      const rule = rules.about(hostname.replace(/^\[|\]$/g, ''), protocol.slice(0, -1));
      if (rule?.decision === 'forbidden')
        return refuses(
          `a network rule forbids ${hostname}${rule.justification === null ? '' : `: ${rule.justification}`}`,
        );
      if (rule?.decision === 'prompt' && under.policy !== 'never')
        return asks(rule.justification ?? `a network rule asks about ${hostname}`);
      if (rule?.decision === 'allow' && under.tightened === null) return runs();
      return underAlways('a request to elsewhere')(rules, under);
    },
  });
}

const underAlways =
  (reason: string): Asked['look'] =>
  (_rules, { policy, tightened }) =>
    tightened !== null || policy === 'always' ? asks(tightened ?? reason) : runs();

interface Outside {
  readonly kind: 'file' | 'request';
  readonly method: string;
  readonly place: string;
  readonly key: string;
  readonly look: Asked['look'];
}

class AskedOutside implements Asked {
  readonly isStart = false;
  readonly thread = null;
  readonly asksOnce = false;
  readonly #outside: Outside;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  get key(): string {
    return this.#outside.key;
  }

  look(rules: RuleSet, under: Under): Looked {
    return this.#outside.look(rules, under);
  }

  question(peer: Peer, why: Why): Question {
    const { kind, method, place } = this.#outside;
    return { ...PLAIN, ...whose(peer), ...why, kind, method, cwd: place };
  }
}
