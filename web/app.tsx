// The page: the list, the panes, and how it is connected.
import { ArrowLeft, LayoutGrid, Moon, Sun } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useConsole } from './console-context.tsx';
import { LayoutView } from './layout/layout-view.tsx';
import { keysOf } from './layout/layout-tree.ts';
import { layoutStore, openPane } from './layout/layout-store.ts';
import { listenForPaneKeys } from './layout/pane-keys.ts';
import { NewProcessDialog } from './processes/new-process-dialog.tsx';
import { processStore } from './processes/process-store.ts';
import { ProcessList } from './processes/process-list.tsx';
import { themeStore, toggleTheme } from './theme/theme-store.ts';
import { ConnectionStatus } from './ui/connection-status.tsx';
import { GatewayHealth } from './ui/gateway-health.tsx';
import { IconButton } from './ui/icon-button.tsx';
import { Overview } from './ui/overview.tsx';
import { Wall } from './wall/wall.tsx';

export function App() {
  const [isDialogOpen, setDialogOpen] = useState(false);
  // On a phone there is room for one of the two.
  const [phoneShows, setPhoneShows] = useState<'list' | 'panes'>('list');
  const [isWall, setWall] = useState(false);
  const theme = useStore(themeStore, (state) => state.theme);
  const isEmpty = useStore(layoutStore, (state) => state.layout === null);
  const isOffline = useStore(processStore, ({ connection }) => connection.kind !== 'online');
  useTerminalsOfClosedPanes();
  useEffect(() => listenForPaneKeys(), []);
  return (
    <div className="app" data-phone-shows={isEmpty && !isWall ? 'list' : phoneShows} data-offline={isOffline}>
      <aside className="sidebar">
        <header className="brand">
          <img src="./favicon.svg" alt="" width={22} height={22} />
          <h1 className="brand-name">exec-console</h1>
          <IconButton
            icon={LayoutGrid}
            label="Wall"
            hint="Wall: everything that runs, at a glance"
            pressed={isWall}
            onClick={() => {
              setWall(!isWall);
              setPhoneShows('panes');
            }}
          />
          <IconButton
            icon={theme === 'dark' ? Sun : Moon}
            label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
            onClick={toggleTheme}
          />
        </header>
        <ProcessList
          onNew={() => setDialogOpen(true)}
          onOpened={() => {
            setWall(false);
            setPhoneShows('panes');
          }}
        />
        <GatewayHealth />
        <footer className="sidebar-foot">
          <ConnectionStatus />
        </footer>
      </aside>
      <main className="stage">
        <div className="phone-bar">
          <IconButton icon={ArrowLeft} label="Back to the list" onClick={() => setPhoneShows('list')}>
            Processes
          </IconButton>
        </div>
        {isWall ? (
          <Wall
            onOpen={(key) => {
              openPane(key);
              setWall(false);
            }}
          />
        ) : isEmpty ? (
          <Overview onNew={() => setDialogOpen(true)} />
        ) : (
          <LayoutView />
        )}
      </main>
      {isDialogOpen ? (
        <NewProcessDialog
          onClose={() => setDialogOpen(false)}
          onStarted={() => {
            setDialogOpen(false);
            setWall(false);
            setPhoneShows('panes');
          }}
        />
      ) : null}
    </div>
  );
}

/** A terminal belongs to its process and outlives a moving pane; when no pane shows it any more, it goes. */
function useTerminalsOfClosedPanes(): void {
  const { terminals } = useConsole();
  const layout = useStore(layoutStore, (state) => state.layout);
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    const open = keysOf(layout);
    for (const key of before.current) if (!open.includes(key)) terminals.close(key);
    before.current = open;
  }, [layout, terminals]);
}
