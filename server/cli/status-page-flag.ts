// Parses the value NAME=URL,COMPONENT of the flag --status-page.
import type { StatusPage } from '../ops/status-pages.ts';
import { UsageError } from './usage-error.ts';

/** Throws UsageError for a value of another form, or a URL that is not http(s). */
export function statusPageOf(text: string): StatusPage {
  const [, agent = '', address = '', component = ''] = /^([^=]+)=(.+),([^,]+)$/s.exec(text) ?? [];
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && (url.protocol === 'https:' || url.protocol === 'http:'))
    return { agent, url, component: component.trim() };
  throw new UsageError(
    `--status-page ${text}: expected NAME=URL,COMPONENT, such as codex=https://status.example/summary.json,Codex`,
  );
}
