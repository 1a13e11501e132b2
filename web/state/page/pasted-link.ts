// Parses pasted sign-in text (a link, a line that contains it, or just its code), and checks the secret of an opened
// link.
import type { Brought } from './credential.ts';

export type Pasted =
  /**
   * `href`: address that this page opens to sign in. `elsewhere`: the address in the link if it is not this page's.
   */
  | { readonly kind: 'link'; readonly href: string; readonly elsewhere: string | null }
  | { readonly kind: 'problem'; readonly text: string };

/** A code is 24 random bytes in base64url, and a share secret 32. */
const WHOLE = { code: /^[\w-]{32}$/, share: /^[\w-]{43}$/ };

const NO_CODE =
  'This link has no complete code: a sign-in link ends with #code= and 32 characters (letters, digits, - or _).';
const NO_SECRET =
  'This share link is incomplete: a share link ends with #share= and 43 characters (letters, digits, - or _).';

/** Parses pasted text; `page` is the address of this page without query and fragment, ending in a slash. */
export function parsePasted(text: string, page: string): Pasted {
  // Chat programs insert invisible characters.
  const words = text
    .replaceAll(/\p{Cf}/gu, '')
    .split(/\s+/)
    .filter(Boolean);
  const joined = words.join('');
  if (joined === '') return problem('Paste the link that the gateway printed, or its code.');
  // A terminal wraps a long line, so copied text may continue on the next line.
  for (let count = 1; count <= words.length; count += 1) {
    const link = linkIn(words.slice(0, count).join(''), page);
    if (link) return link;
  }
  if (/[#&]code=./.test(joined)) return problem(NO_CODE);
  if (/[#&]share=./.test(joined)) return problem(NO_SECRET);
  const code = [joined, ...words].map(withoutMarks).find((each) => WHOLE.code.test(each));
  if (code !== undefined) return { kind: 'link', href: `${page}#code=${code}`, elsewhere: null };
  if (/[?&]token=/.test(joined))
    return problem('This is the address for an agent. Paste the link that contains #code=.');
  if (/^https?:/i.test(joined)) return problem(NO_CODE);
  return problem('Not a sign-in link or code. A code has 32 characters (letters, digits, - or _).');
}

/**
 * Returns why no gateway can have created this secret; null when it is complete. The page checks this itself, since
 * the gateway's reply to such a secret is worded for programs.
 */
export function whyIncomplete(brought: Brought): string | null {
  if ('share' in brought) return WHOLE.share.test(brought.share) ? null : NO_SECRET;
  return WHOLE.code.test(brought.code) ? null : NO_CODE;
}

/** Returns the link in the text if its code or secret is complete; null otherwise. */
function linkIn(text: string, page: string): Pasted | null {
  const [, name, secret = ''] = /[#&](code|share)=([\w-]+)/.exec(text) ?? [];
  if ((name !== 'code' && name !== 'share') || !WHOLE[name].test(secret)) return null;
  const link = /https?:\/\/[^'"<>]*#/i.exec(text)?.[0];
  const base = link && URL.canParse(link) ? new URL('.', link).href : null;
  const elsewhere = base === null || base === page ? null : base;
  return { kind: 'link', href: `${page}#${name}=${secret}`, elsewhere };
}

/** Returns a word without surrounding punctuation or a leading `code=`. */
const withoutMarks = (word: string): string => word.replaceAll(/^[^\w-]*(?:code=)?[^\w-]*|[^\w-]+$/g, '');

const problem = (text: string): Pasted => ({ kind: 'problem', text });
