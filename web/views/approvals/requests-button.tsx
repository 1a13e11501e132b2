// Button shown in a phone's pane view: counts pending requests, and goes to the first one.
import { Hand } from 'lucide-react';
import { useStore } from 'zustand';
import { countedText } from '../../../text/amounts.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { approvalsStore, isOpen } from '../../state/approvals/approvals-store.ts';
import { goToRequest } from '../../state/approvals/request-view.ts';

export function RequestsButton() {
  const count = useStore(approvalsStore, ({ requests }) => requests.filter(isOpen).length);
  if (count === 0) return null;
  return (
    <IconButton
      icon={Hand}
      label={
        count === 1
          ? 'Go to the approval request'
          : `Go to the first of ${countedText(count, 'approval request')}`
      }
      onClick={() => goToRequest(null)}
    >
      {countedText(count, 'request')}
    </IconButton>
  );
}
