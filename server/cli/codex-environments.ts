// Adds the gateway to Codex's environments.toml, as a marked block and the default environment, and removes it.
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';

const BEGIN = '# exec-console: begin';
const END = '# exec-console: end';
const FORMER = '# exec-console: the default was ';

const DEFAULT = /^default\s*=.*$/m;

/**
 * Returns the file's text with the gateway as the default environment. `text`: content of the file; empty when there is
 * no file. Throws for invalid TOML, as Codex does.
 */
export function withGateway(
  text: string,
  { url, token }: { readonly url: string; readonly token: string },
): string {
  parse(text);
  const plain = withoutGateway(text);
  const [former] = DEFAULT.exec(head(plain)) ?? [];
  const others = former === undefined ? plain : plain.replace(former, '').replace(/^\n+/, '');
  const first = ['default = "console"', ...(former === undefined ? [] : [`${FORMER}${former}`])];
  const block = [
    BEGIN,
    '[[environments]]',
    'id = "console"',
    `url = ${JSON.stringify(url)}`,
    `auth_bearer_token = ${JSON.stringify(token)}`,
    END,
  ];
  const rest = others.trimEnd();
  return [...first, '', ...(rest === '' ? [] : [rest, '']), ...block, ''].join('\n');
}

export function withoutGateway(text: string): string {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (start === -1 || end < start) return text;
  const others = text.slice(0, start) + text.slice(end + END.length).replace(/^\n/, '');
  const former = new RegExp(`^${FORMER}(.*)$`, 'm').exec(others)?.[1];
  const rest = others
    .replace(
      /^default = "console"\n(# exec-console: the default was .*\n)?\n?/,
      former === undefined ? '' : `${former}\n\n`,
    )
    .trimEnd();
  return rest === '' ? '' : `${rest}\n`;
}

export const isSameToml = (a: string, b: string): boolean => isDeepStrictEqual(parse(a), parse(b));

/** Returns the part before the first table; only there can `default` be set. */
const head = (text: string): string => text.split(/^\[/m)[0] ?? '';
