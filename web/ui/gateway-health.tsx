// What of the gateway does not work, and what to do about it; nothing while all is well.
import { TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { processStore } from '../processes/process-store.ts';
import { visible } from './visible.ts';

export function GatewayHealth() {
  const { status, reasons } = useStore(processStore, (state) => state.gateway);
  return (
    // There before it says something, so that it is read out when it does.
    <div role="status" aria-label="Gateway" data-gateway-status={status}>
      {status === 'ok' ? null : (
        <div className="gateway-health">
          <TriangleAlert size={14} aria-hidden="true" />
          <div>
            <b>The gateway is degraded</b>
            {reasons.map((reason) => (
              <p key={reason}>{visible(reason)}</p>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
