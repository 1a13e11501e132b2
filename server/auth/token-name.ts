// What a token may be called: it is who people see, so nothing hidden is in it, and nobody passes for another.
const LONGEST_NAME = 64;

/** Said by the gateway of its own, of pages, of who opens a share, and by a page of those it does not name. */
const TAKEN = /^(cli|page|token file|gateway|console|stdio|somebody|guest \d+)$/i;

/** Null when it will do; else a sentence. */
export function whyNoName(name: string): string | null {
  const isSeen = !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(name) && name.trim() === name;
  if (!isSeen || name === '' || name.length > LONGEST_NAME)
    return `a name is what people see: at most ${LONGEST_NAME} characters, none of them hidden`;
  return TAKEN.test(name) ? `the name ${name} is the gateway’s own` : null;
}
