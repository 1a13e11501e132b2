// Changes of the gateway's health: one warning for each change, visible until dismissed, and announced once.
import { createStore } from 'zustand/vanilla';
import { processStore } from '../processes/process-store.ts';
import { visible } from '../../../text/visible.ts';

interface GatewayNewsState {
  /** Text for screen readers; another `turn` each time. */
  readonly said: { readonly text: string; readonly turn: number } | null;
  /** Visible banner: something does not work, everything works again, or a service elsewhere has an outage. */
  readonly banner: 'degraded' | 'recovered' | 'outage' | null;
}

export const gatewayNews = createStore<GatewayNewsState>(() => ({ said: null, banner: null }));

/** Follows the gateway's health. Returns a function that undoes it. */
export function followGatewayHealth(): () => void {
  return processStore.subscribe(({ gateway }, { gateway: before }) => {
    if (gateway === before) return;
    const text = changeText(before.reasons, gateway.reasons);
    const notices = (gateway.notices ?? []).filter((notice) => !before.notices?.includes(notice));
    if (text !== null) say(text, gateway.reasons.length > 0 ? 'degraded' : 'recovered');
    if (notices.length > 0) say(sentences(notices), gateway.reasons.length > 0 ? 'degraded' : 'outage');
    // The end of an outage elsewhere is no news.
    if (!gateway.notices && gatewayNews.getState().banner === 'outage') dismissGatewayNews();
  });
}

const say = (text: string, banner: GatewayNewsState['banner']): void =>
  gatewayNews.setState(({ said }) => ({ said: { text, turn: (said?.turn ?? 0) + 1 }, banner }));

export const dismissGatewayNews = (): void => gatewayNews.setState({ banner: null });

/** Returns the changes in words; null when there are none, as after a reconnect. */
export function changeText(before: readonly string[], after: readonly string[]): string | null {
  const appeared = after.filter((reason) => !before.includes(reason));
  const gone = before.filter((reason) => !after.includes(reason));
  if (appeared.length === 0 && gone.length === 0) return null;
  if (after.length === 0) return 'The gateway has recovered.';
  return [
    appeared.length > 0 && `The gateway is degraded: ${sentences(appeared)}`,
    gone.length > 0 && `Resolved: ${sentences(gone)}`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}

const sentences = (reasons: readonly string[]): string =>
  reasons.map((reason) => `${visible(reason).replace(/\.$/, '')}.`).join(' ');
