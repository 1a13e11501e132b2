// Creates the audit entry of a request, with secrets masked and long texts shortened.
import { masked } from '../../text/masking.ts';
import type { ActWords } from '../../protocol/method-record.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import { recordOf } from '../../protocol/records.ts';
import type { Act } from './audit.ts';
import { headOf } from '../../text/cut.ts';

type What = Pick<Act, 'act' | 'key' | 'details'>;

/** Limits on a command line (characters per argument, arguments, characters) and on every other text of a client. */
const LONGEST_ARGUMENT = 1000;
const MOST_ARGUMENTS = 100;
const LONGEST_COMMAND = 8000;
const LONGEST_TEXT = 4096;

/** Returns the act, key and details of a request's audit entry; null for a request without an entry. */
export function actOf(method: RequestMethod, params: unknown, result: unknown): What | null {
  const { audit } = recordOf(method);
  if (typeof audit !== 'function') return null;
  const words = audit(params as object, result ?? {});
  if (!words) return null;
  const { act, key = null, details, forms } = words;
  if (!details) return { act, key };
  const short = Object.entries(details).map(([name, value]) => [name, shortened(value, forms?.[name])]);
  return { act, key, details: Object.fromEntries(short) as NonNullable<What['details']> };
}

/** Returns true for requests that are not logged individually; only their bytes are counted. */
export const isCounted = (method: RequestMethod): boolean => recordOf(method).audit === 'counted';

function shortened(value: unknown, how: NonNullable<ActWords['forms']>[string] | undefined): unknown {
  if (how === 'commandLine') return shortCommand(value);
  if (typeof value !== 'string') return value;
  return shortText(how === 'address' ? withoutSecrets(value) : value);
}

/** Returns a text shortened for the audit log: secrets are masked before the last cut, as in `shortCommand`. */
export const shortText = (text: string): string =>
  headOf(masked(headOf(text, LONGEST_COMMAND)), LONGEST_TEXT);

/**
 * Returns a command line shortened for the audit log: secrets are masked before the last cut, since half of a
 * secret would not be recognized.
 */
export function shortCommand(argv: unknown): string[] {
  const shown: string[] = [];
  let room = LONGEST_COMMAND;
  for (const argument of Array.isArray(argv) ? argv.slice(0, MOST_ARGUMENTS) : []) {
    const text = masked(headOf(String(argument), LONGEST_COMMAND));
    if (room > 0) shown.push(headOf(text, Math.min(LONGEST_ARGUMENT, room)));
    room -= text.length + 1;
  }
  return shown;
}

/**
 * Returns the origin and the path of a URL, since its query, or the user before the host, may be a secret; `''` for an
 * invalid URL.
 */
const withoutSecrets = (text: string): string => {
  if (!URL.canParse(text)) return '';
  const { origin, pathname } = new URL(text);
  return origin + pathname;
};
