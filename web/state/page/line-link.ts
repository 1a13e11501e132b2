// A link to one line of one process, `#KEY:B1234`, or to several, `#KEY:B1234-B5678`: by the offset of the line's first
// byte in all output, which never changes.
export interface LineLink {
  readonly key: string;
  readonly offset: number;
  /** Offset of the last line, for a link to several. */
  readonly endOffset?: number;
}

export const lineHref = ({ key, offset, endOffset }: LineLink): string =>
  `#${encodeURIComponent(key)}:B${offset}${endOffset === undefined ? '' : `-B${endOffset}`}`;

export function parseLineLink(hash: string): LineLink | null {
  const [, key, offset, endOffset] = /^#([^:]+):B(\d{1,15})(?:-B(\d{1,15}))?$/.exec(hash) ?? [];
  if (key === undefined || offset === undefined) return null;
  try {
    return {
      key: decodeURIComponent(key),
      offset: Number(offset),
      ...(endOffset !== undefined && { endOffset: Number(endOffset) }),
    };
  } catch {
    return null;
  }
}
