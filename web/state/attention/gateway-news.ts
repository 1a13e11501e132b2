// How the gateway's health changed: one warning for each change, in sight until it is dismissed, and said once.
import { createStore } from 'zustand/vanilla';
import { processStore } from '../processes/process-store.ts';
import { visible } from '../../../text/visible.ts';

interface GatewayNewsState {
  /** For who does not see it; another `turn` each time. */
  readonly said: { readonly text: string; readonly turn: number } | null;
  /** What is in sight: what does not work, or that all does again. */
  readonly banner: 'degraded' | 'recovered' | null;
}

export const gatewayNews = createStore<GatewayNewsState>(() => ({ said: null, banner: null }));

/** Returns its own undo. */
export function followGatewayHealth(): () => void {
  return processStore.subscribe(({ gateway }, { gateway: before }) => {
    const text = gateway === before ? null : changeText(before.reasons, gateway.reasons);
    if (text === null) return;
    gatewayNews.setState(({ said }) => ({
      said: { text, turn: (said?.turn ?? 0) + 1 },
      banner: gateway.reasons.length > 0 ? 'degraded' : 'recovered',
    }));
  });
}

export const dismissGatewayNews = (): void => gatewayNews.setState({ banner: null });

/** What is new of it; null when nothing is, as after a reconnect. */
export function changeText(before: readonly string[], after: readonly string[]): string | null {
  const appeared = after.filter((reason) => !before.includes(reason));
  const gone = before.filter((reason) => !after.includes(reason));
  if (appeared.length === 0 && gone.length === 0) return null;
  if (after.length === 0) return 'The gateway works in full again.';
  return [
    appeared.length > 0 && `The gateway is degraded: ${sentences(appeared)}`,
    gone.length > 0 && `No longer so: ${sentences(gone)}`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}

const sentences = (reasons: readonly string[]): string =>
  reasons.map((reason) => `${visible(reason).replace(/\.$/, '')}.`).join(' ');
