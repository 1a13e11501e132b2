// A link to one line of one process: `#KEY:B1234`, the line's first byte among all of the output, which never changes.
export interface LineLink {
  readonly key: string;
  readonly offset: number;
}

export const lineHref = ({ key, offset }: LineLink): string => `#${encodeURIComponent(key)}:B${offset}`;

export function parseLineLink(hash: string): LineLink | null {
  const [, key, offset] = /^#([^:]+):B(\d{1,15})$/.exec(hash) ?? [];
  if (key === undefined || offset === undefined) return null;
  try {
    return { key: decodeURIComponent(key), offset: Number(offset) };
  } catch {
    return null;
  }
}
