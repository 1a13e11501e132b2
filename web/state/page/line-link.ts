// Link to lines of a process: `#KEY:L10` or `#KEY:L10-L20` by line number; or, where line numbers are unknown,
// `#KEY:B1234-B5678` by the byte offset at which a line starts.
import { isProcessKey } from '../../../protocol/process-key.ts';

export type LineLink = LinePlaces & { readonly key: string };

/** Position of the first line, and of the last one in a link to several. */
export type LinePlaces =
  | { readonly offset: number; readonly endOffset?: number }
  | { readonly line: number; readonly endLine?: number };

export function lineHref(link: LineLink): string {
  const [letter, from, to] =
    'line' in link ? ['L', link.line, link.endLine] : ['B', link.offset, link.endOffset];
  return `#${encodeURIComponent(link.key)}:${letter}${from}${to === undefined ? '' : `-${letter}${to}`}`;
}

export function parseLineLink(hash: string): LineLink | null {
  const [, key, letter, from, to] = /^#([^:]+):([BL])(\d{1,15})(?:-\2(\d{1,15}))?$/.exec(hash) ?? [];
  if (key === undefined || from === undefined) return null;
  try {
    const place = { key: decodeURIComponent(key) };
    if (!isProcessKey(place.key)) return null;
    const end = to === undefined ? undefined : Number(to);
    return letter === 'L'
      ? { ...place, line: Number(from), ...(end !== undefined && { endLine: end }) }
      : { ...place, offset: Number(from), ...(end !== undefined && { endOffset: end }) };
  } catch {
    return null;
  }
}
