// Banner about a problem of the gateway or an outage of a service, until dismissed or resolved, or about a recovery.
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { processStore } from '../state/processes/process-store.ts';
import { dismissGatewayNotice, gatewayNotices } from '../state/attention/gateway-notices.ts';
import { IconButton } from './icon-button.tsx';
import { visible } from '../../text/visible.ts';

/** Time after which a recovery notice is hidden, since it needs no action. */
const RECOVERED_SHOWN_MS = 12_000;

export function GatewayHealth() {
  const { reasons, notices = [] } = useStore(processStore, (state) => state.gateway);
  const banner = useStore(gatewayNotices, (state) => state.banner);
  if (banner === null) return null;
  if (banner === 'recovered') return <Recovered />;
  return (
    <div className="gateway-health" role="group" aria-label="Gateway health">
      <TriangleAlert size={14} aria-hidden="true" />
      <div>
        <b>{banner === 'degraded' ? 'The gateway is degraded' : 'A service has an outage'}</b>
        {[...reasons, ...notices].map((text) => (
          <p key={text}>{visible(text)}</p>
        ))}
      </div>
      <Dismiss />
    </div>
  );
}

function Recovered() {
  useEffect(() => {
    const timer = setTimeout(dismissGatewayNotice, RECOVERED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="gateway-health recovered" role="group" aria-label="Gateway health">
      <CircleCheck size={14} aria-hidden="true" />
      <div>
        <b>The gateway has recovered</b>
      </div>
      <Dismiss />
    </div>
  );
}

function Dismiss() {
  return (
    <IconButton
      icon={X}
      label="Dismiss"
      hint="Dismiss until something changes"
      onClick={dismissGatewayNotice}
    />
  );
}

/** Announces problems, recoveries and outages to screen readers, even while the page shows no banner. */
export function GatewayAnnouncer() {
  const status = useStore(processStore, (state) => state.gateway.status);
  const announcement = useStore(gatewayNotices, (state) => state.announcement);
  return (
    // The element exists before its text, so that screen readers announce the text when it appears.
    <div role="status" aria-label="Gateway" className="sr-only" data-gateway-status={status}>
      <span key={announcement?.turn}>{announcement?.text}</span>
    </div>
  );
}
