// The page: the list, the panes, and the state of the connection.
import { ArrowLeft, Command, History, LayoutGrid, Settings, TextSearch } from 'lucide-react';
import { useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { ApprovalsRegion } from './views/approvals/approvals-region.tsx';
import { PauseButton } from './views/approvals/pause-button.tsx';
import { RequestsButton } from './views/approvals/requests-button.tsx';
import { AwayDigest } from './views/list/away-digest.tsx';
import { listenForKeys } from './commands/keymap.ts';
import { swallowStrayClicks } from './commands/stray-clicks.ts';
import { useConsole } from './parts/console-context.tsx';
import { MaskedNotice } from './views/dialogs/masked-notice.tsx';
import { PastePreview } from './views/panes/paste-preview.tsx';
import { LayoutView } from './views/panes/layout-view.tsx';
import { keysOf } from './state/layout/layout-tree.ts';
import { OpenSwitcher } from './views/panes/open-switcher.tsx';
import { layoutStore, openPane } from './state/layout/layout-store.ts';
import { OpenDialog } from './open-dialog.tsx';
import { PeopleButton } from './views/people/people-button.tsx';
import { forgetTerminalState, processStore } from './state/processes/process-store.ts';
import { foundLines } from './state/processes/found-lines.ts';
import { ProcessList } from './views/list/process-list.tsx';
import { ShareBadge } from './views/dialogs/share-badge.tsx';
import { stopReplay } from './state/replay/replaying.ts';
import { stopSearch } from './state/page/searching.ts';
import { PaneTextDialog } from './views/panes/pane-text-dialog.tsx';
import { Announcer } from './parts/announcer.tsx';
import { ConnectionStatus, PhoneConnection } from './parts/connection-status.tsx';
import { GatewayAnnouncer, GatewayHealth } from './parts/gateway-health.tsx';
import { IconButton } from './parts/icon-button.tsx';
import { LatePart, latePart } from './parts/late-part.tsx';
import { ThemeButton } from './parts/theme-button.tsx';
import { Overview } from './views/overview/overview.tsx';
import { Home } from './views/overview/home.tsx';
import { PageNotices } from './parts/page-notices.tsx';
import { openDialog, pageStore, showList, showPanes, toggleWall } from './state/page/page-store.ts';
import { isMac } from './state/page/platform.ts';
import { SidebarDivider } from './parts/sidebar-divider.tsx';
import { sidebarWidth } from './state/page/sidebar-width.ts';
import { isGuest } from './state/page/storage.ts';

const Wall = latePart('The wall', async () => (await import('./views/wall/wall.tsx')).Wall);
const FoundBar = latePart(
  'The search results',
  async () => (await import('./views/dialogs/found-bar.tsx')).FoundBar,
);

export function App() {
  // Select only the state this component needs: each change re-renders the whole page.
  const isWall = useStore(pageStore, (state) => state.isWall);
  const isEmpty = useStore(layoutStore, (state) => state.layout === null);
  const parts = useConsole();
  useTerminalsOfClosedPanes();
  useEffect(() => listenForKeys(parts), [parts]);
  useEffect(swallowStrayClicks, []);
  useEffect(() => {
    // Safari has no `requestIdleCallback`; there the terminals load with the first pane.
    const idle = window.requestIdleCallback?.(() => void parts.terminals.load());
    return () => {
      if (idle !== undefined) window.cancelIdleCallback(idle);
    };
  }, [parts]);
  return (
    <Frame>
      <aside className="sidebar" data-place="list">
        <header className="brand">
          <img src="./favicon.svg" alt="" width={22} height={22} />
          <h1 className="brand-name">exec-console</h1>
          <IconButton
            icon={Command}
            label="Commands"
            hint={`Find a command or a process (${isMac ? '⌘⇧P' : 'Ctrl+Shift+P'})`}
            onClick={() => openDialog('palette')}
          />
          <IconButton
            icon={TextSearch}
            label="Search in all output"
            hint={`Search in all output (${isMac ? '⌘⇧S' : 'Ctrl+Shift+S'})`}
            onClick={() => openDialog('search')}
          />
          {isGuest ? null : (
            <IconButton
              icon={History}
              label="History"
              hint="History: all processes, including those from before a restart"
              onClick={() => openDialog('history')}
            />
          )}
          <IconButton
            icon={LayoutGrid}
            label="Wall"
            hint="Wall: all running processes at a glance"
            pressed={isWall}
            onClick={toggleWall}
          />
          <PauseButton />
          <ThemeButton />
        </header>
        <ShareBadge />
        <ApprovalsRegion />
        {isGuest ? null : <AwayDigest />}
        <ProcessList onNew={() => openDialog('newProcess')} onOpened={showPanes} />
        <GatewayHealth />
        <footer className="sidebar-foot">
          <ConnectionStatus />
          <PeopleButton />
          <IconButton icon={Settings} label="Settings" onClick={() => openDialog('settings')} />
          <button type="button" className="link-button keyboard-only" onClick={() => openDialog('help')}>
            <span>Shortcuts</span> <kbd>?</kbd>
          </button>
        </footer>
        <SidebarDivider />
      </aside>
      <main className="stage">
        <div className="phone-bar">
          <IconButton icon={ArrowLeft} label="Back to the list" onClick={showList}>
            Processes
          </IconButton>
          {isWall ? null : <OpenSwitcher />}
          <PhoneConnection />
          <RequestsButton />
        </div>
        {isWall ? null : <Found />}
        {isWall ? (
          <Wall
            onOpen={(key) => {
              openPane(key);
              showPanes();
            }}
          />
        ) : isEmpty ? (
          <Start />
        ) : (
          <Panes />
        )}
      </main>
      <PastePreview />
      <Announcer />
      <GatewayAnnouncer />
      <OpenDialog />
      <PageNotices>
        <MaskedNotice />
      </PageNotices>
      <PaneTextDialog />
    </Frame>
  );
}

/** Page frame, styled by the width of the list, the part that a phone shows, and the connection state. */
function Frame({ children }: { readonly children: ReactNode }) {
  const isWall = useStore(pageStore, (state) => state.isWall);
  const phoneShows = useStore(pageStore, (state) => state.phoneShows);
  const isEmpty = useStore(layoutStore, (state) => state.layout === null);
  const isOffline = useStore(processStore, ({ connection }) => connection.kind !== 'online');
  const width = useStore(sidebarWidth, (state) => state.width);
  return (
    <div
      className="app"
      data-phone-shows={isEmpty && !isWall ? 'list' : phoneShows}
      data-offline={isOffline}
      style={{ '--sidebar-width': `${width}px` } as CSSProperties}
    >
      {children}
    </div>
  );
}

/** Main area while no pane is open. */
function Start() {
  const hasProcesses = useStore(processStore, (state) => Object.keys(state.processes).length > 0);
  return hasProcesses ? <Home /> : <Overview onNew={() => openDialog('newProcess')} />;
}

/** Bar that steps through the lines found by the last search; shows nothing when there are none. */
function Found() {
  const found = useStore(foundLines, (state) => state.found);
  return found === null ? null : <FoundBar found={found} />;
}

/** Panes, shown once the terminal module has loaded. */
function Panes() {
  const { terminals } = useConsole();
  return (
    <LatePart what="The terminals" load={terminals.load}>
      {() => <LayoutView />}
    </LatePart>
  );
}

/**
 * Ends the terminals, searches and replays of closed panes. A terminal belongs to its process and survives moving its
 * pane.
 */
function useTerminalsOfClosedPanes(): void {
  const { terminals } = useConsole();
  const layout = useStore(layoutStore, (state) => state.layout);
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    const open = keysOf(layout);
    for (const key of before.current) {
      if (open.includes(key)) continue;
      terminals.close(key);
      stopSearch(key);
      stopReplay(key);
      forgetTerminalState(key);
    }
    before.current = open;
  }, [layout, terminals]);
}
