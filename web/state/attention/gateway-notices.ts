// Changes of the gateway's health: one banner per change, which can be dismissed, and one announcement.
import { createStore } from 'zustand/vanilla';
import { processStore } from '../processes/process-store.ts';
import { visible } from '../../../text/visible.ts';

interface GatewayNoticesState {
  /** Text for screen readers; `turn` differs each time, so that a repeated text is read again. */
  readonly announcement: { readonly text: string; readonly turn: number } | null;
  /** Visible banner: a problem, a recovery, or an outage of an external service. */
  readonly banner: 'degraded' | 'recovered' | 'outage' | null;
}

export const gatewayNotices = createStore<GatewayNoticesState>(() => ({ announcement: null, banner: null }));

/** Follows the gateway's health. Returns a function that stops following it. */
export function followGatewayHealth(): () => void {
  return processStore.subscribe(({ gateway }, { gateway: before }) => {
    if (gateway === before) return;
    const text = changeText(before.reasons, gateway.reasons);
    const notices = (gateway.notices ?? []).filter((notice) => !before.notices?.includes(notice));
    if (text !== null) announce(text, gateway.reasons.length > 0 ? 'degraded' : 'recovered');
    if (notices.length > 0) announce(sentences(notices), gateway.reasons.length > 0 ? 'degraded' : 'outage');
    // The end of an external outage is not announced; it only hides the banner.
    if (!gateway.notices && gatewayNotices.getState().banner === 'outage') dismissGatewayNotice();
  });
}

const announce = (text: string, banner: GatewayNoticesState['banner']): void =>
  gatewayNotices.setState(({ announcement }) => ({
    announcement: { text, turn: (announcement?.turn ?? 0) + 1 },
    banner,
  }));

export const dismissGatewayNotice = (): void => gatewayNotices.setState({ banner: null });

/** Returns the changes in words; null when there are none, as after a reconnection. */
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
