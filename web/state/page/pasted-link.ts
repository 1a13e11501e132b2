// Pasted sign-in text: a link, the line that contained it, or only its code.

export type Pasted =
  /**
   * `href`: address to which this page goes to sign in. `elsewhere`: the address in the link itself, when it is another
   * one.
   */
  | { readonly kind: 'link'; readonly href: string; readonly elsewhere: string | null }
  | { readonly kind: 'problem'; readonly text: string };

/** A code has 24 random bytes, the secret of a share 32. */
const CODE = /^[\w-]{32}$/;
const SHARE = /^[\w-]{43}$/;

const NO_CODE = 'This link has no code: a sign-in link ends with #code= and 32 letters, digits, - or _.';
const NO_SECRET = 'This share link is incomplete: it ends with #share= and 43 letters, digits, - or _.';

/** Parses pasted text; `page` is the address of this page without query and fragment, with a slash at the end. */
export function parsePasted(text: string, page: string): Pasted {
  // A terminal breaks long lines, and people copy surrounding text.
  const pasted = text.replaceAll(/\s+/g, ' ').trim();
  const joined = pasted.replaceAll(' ', '');
  if (joined === '') return problem('Paste the link that the gateway printed, or its code.');
  const [, name, secret] = /[#&](code|share)=([\w-]+)/.exec(joined) ?? [];
  if (name === 'code' && secret && !CODE.test(secret)) return problem(NO_CODE);
  if (name === 'share' && secret && !SHARE.test(secret)) return problem(NO_SECRET);
  if (name && secret) {
    const link = /https?:\/\/[^\s'"<>]*#/i.exec(joined)?.[0];
    const base = link && URL.canParse(link) ? new URL('.', link).href : null;
    return {
      kind: 'link',
      href: `${page}#${name}=${secret}`,
      elsewhere: base === null || base === page ? null : base,
    };
  }
  const bare = joined.replaceAll(/^(code=)?['"`]?|['"`]$/g, '');
  if (CODE.test(bare)) return { kind: 'link', href: `${page}#code=${bare}`, elsewhere: null };
  if (/[?&]token=/.test(joined))
    return problem('This is the address for an agent. Paste the link that contains #code=.');
  if (/^https?:/i.test(joined)) return problem(NO_CODE);
  return problem('Not a sign-in link or code. A code has 32 letters, digits, - or _.');
}

const problem = (text: string): Pasted => ({ kind: 'problem', text });
