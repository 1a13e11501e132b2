// Checks the headers that determine where a request ends and which host it is for. They must agree with the URL and the
// body, to which network rules and approvals apply.

export interface Framed {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
}

/** Headers that a request may have only once, and that `connection` must not name. */
const FRAMING: readonly string[] = ['host', 'content-length', 'transfer-encoding'];

/** Returns the first fault in the headers, or in the body of a CONNECT request, as part of an error; null without one. */
export function framingFault({ method, url, headers, body }: Framed): string | null {
  if (method === 'CONNECT' && body !== null) return 'bodyBase64: a CONNECT request has no body';
  const known = headers.map(([name]) => name.toLowerCase());
  for (const [at, [name, value]] of headers.entries()) {
    const lower = name.toLowerCase();
    const fault =
      FRAMING.includes(lower) && known.indexOf(lower) < at
        ? 'is repeated'
        : faultIn(lower, value, { url, bytes: body?.length ?? 0 });
    if (fault !== null) return `headers.${at}: ${lower} ${fault}`;
  }
  return null;
}

function faultIn(
  name: string,
  value: string,
  { url, bytes }: { readonly url: URL; readonly bytes: number },
): string | null {
  switch (name) {
    case 'host':
      return value.toLowerCase() === url.host ? null : `must be ${url.host}, as in the URL`;
    case 'content-length':
      return value === String(bytes) ? null : `must be ${bytes}, the length of the body`;
    case 'transfer-encoding':
      return 'is not allowed, because the body is sent with its length';
    case 'expect':
      return 'is not allowed, because the body is sent without waiting for `100 Continue`';
    case 'connection':
      return value
        .toLowerCase()
        .split(',')
        .some((each) => FRAMING.includes(each.trim()))
        ? 'must not name a header that frames the request'
        : null;
    default:
      return null;
  }
}
