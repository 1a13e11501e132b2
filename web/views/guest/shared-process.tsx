// Page for a share of one process: its pane, the expiry, and the connection state.
import { Settings } from 'lucide-react';
import { useEffect, useLayoutEffect } from 'react';
import { useStore } from 'zustand';
import { listenForKeys } from '../../commands/keymap.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { MaskedNotice } from '../dialogs/masked-notice.tsx';
import { openPane } from '../../state/layout/layout-store.ts';
import { processName } from '../../../text/command-line.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { PaneTextDialog } from '../panes/pane-text-dialog.tsx';
import { TerminalPane } from '../panes/terminal-pane.tsx';
import { Announcer } from '../../parts/announcer.tsx';
import { ConnectionStatus } from '../../parts/connection-status.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { LatePart, latePart } from '../../parts/late-part.tsx';
import { ThemeButton } from '../../parts/theme-button.tsx';
import { PageNotices } from '../../parts/page-notices.tsx';
import { closeDialog, openDialog, pageStore, showPanes } from '../../state/page/page-store.ts';
import { ShareBadge } from '../dialogs/share-badge.tsx';

const AboutProcess = latePart(
  'The process details',
  async () => (await import('../list/about-process.tsx')).AboutProcess,
);
const SettingsDialog = latePart(
  'The settings',
  async () => (await import('../dialogs/settings-dialog.tsx')).SettingsDialog,
);

export function SharedProcess({ processKey }: { readonly processKey: string }) {
  const parts = useConsole();
  const dialog = useStore(pageStore, (state) => state.dialog);
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const isListed = useStore(processStore, (state) => state.isListed);
  useLayoutEffect(() => {
    openPane(processKey);
    showPanes();
  }, [processKey]);
  useEffect(() => listenForKeys(parts), [parts]);
  return (
    <div className="shared-page">
      <header className="shared-bar">
        <img src="./favicon.svg" alt="" width={20} height={20} />
        <h1 className="shared-name">{info ? processName(info) : 'A shared process'}</h1>
        <ShareBadge />
        <ConnectionStatus />
        <ThemeButton />
        <IconButton icon={Settings} label="Settings" onClick={() => openDialog('settings')} />
      </header>
      <main className="stage">{isListed && !info ? <Gone /> : <Pane processKey={processKey} />}</main>
      <Announcer />
      <PageNotices>
        <MaskedNotice />
      </PageNotices>
      <PaneTextDialog />
      {dialog === 'about' ? <AboutProcess processKey={processKey} onClose={closeDialog} /> : null}
      {dialog === 'settings' ? <SettingsDialog onClose={closeDialog} /> : null}
    </div>
  );
}

/** Pane, shown once the terminal module has loaded. */
function Pane({ processKey }: { readonly processKey: string }) {
  const { terminals } = useConsole();
  return (
    <LatePart what="The terminal" load={terminals.load} fallback={<Opening />}>
      {() => <TerminalPane processKey={processKey} />}
    </LatePart>
  );
}

function Opening() {
  return (
    <p role="status" className="share-opening">
      Opening the share …
    </p>
  );
}

function Gone() {
  return (
    <div className="overview">
      <div className="overview-card" role="status">
        <h2>This process no longer exists</h2>
        <p>
          The process that was shared with you was removed or evicted, or it was lost in a restart of the
          gateway.
        </p>
      </div>
    </div>
  );
}
