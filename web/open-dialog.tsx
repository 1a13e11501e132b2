// The dialog over the page; only one is open at a time.
import { lazy, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { ApprovalsSetting } from './views/approvals/approvals-setting.tsx';
import { CommandPalette } from './views/palette/command-palette.tsx';
import { contextNow, infoOf } from './commands/command.ts';
import { useConsole } from './parts/console-context.tsx';
import { SearchDialog } from './views/dialogs/search-dialog.tsx';
import { NewProcessDialog } from './views/dialogs/new-process-dialog.tsx';
import { closeDialog, pageStore, showPanes, type PageDialog } from './state/page/page-store.ts';

// Dialogs are loaded when opened, except those that people type into immediately.
const LayoutsDialog = lazy(async () => ({
  default: (await import('./views/panes/layouts-dialog.tsx')).LayoutsDialog,
}));
const GoToLine = lazy(async () => ({
  default: (await import('./views/panes/go-to-line.tsx')).GoToLine,
}));
const AboutProcess = lazy(async () => ({
  default: (await import('./views/list/about-process.tsx')).AboutProcess,
}));
const ShareDialog = lazy(async () => ({
  default: (await import('./views/dialogs/share-dialog.tsx')).ShareDialog,
}));
const RecordDialog = lazy(async () => ({
  default: (await import('./views/dialogs/record-dialog.tsx')).RecordDialog,
}));
const HistoryDialog = lazy(async () => ({
  default: (await import('./views/dialogs/history-dialog.tsx')).HistoryDialog,
}));
const AwayDialog = lazy(async () => ({
  default: (await import('./views/away/away-dialog.tsx')).AwayDialog,
}));
const ApprovalsDialog = lazy(async () => ({
  default: (await import('./views/approvals/approvals-dialog.tsx')).ApprovalsDialog,
}));
const AccessDialog = lazy(async () => ({
  default: (await import('./views/dialogs/access-dialog.tsx')).AccessDialog,
}));
const ConnectDialog = lazy(async () => ({
  default: (await import('./views/dialogs/connect-dialog.tsx')).ConnectDialog,
}));
const HelpSheet = lazy(async () => ({ default: (await import('./views/palette/help-sheet.tsx')).HelpSheet }));

const SettingsDialog = lazy(async () => ({
  default: (await import('./views/dialogs/settings-dialog.tsx')).SettingsDialog,
}));

export function OpenDialog() {
  const dialog = useStore(pageStore, (state) => state.dialog);
  const opening = useStore(pageStore, (state) => state.opening);
  return dialog === null ? null : <Dialog key={opening} dialog={dialog} />;
}

const BESIDE = { palette: null, splitRight: 'right', splitBelow: 'below' } as const;

function Dialog({ dialog }: { readonly dialog: PageDialog }) {
  const parts = useConsole();
  // The context is that of the element focused before the dialog opened.
  const [context] = useState(() => contextNow(parts));
  const saved = useStore(pageStore, (state) => state.saved);
  const [subject] = useState(() => infoOf(context));
  switch (dialog) {
    case 'newProcess':
    case 'startLike':
      return (
        <NewProcessDialog
          like={dialog === 'startLike' ? context.subject : null}
          saved={saved}
          onClose={closeDialog}
          onStarted={() => {
            closeDialog();
            showPanes();
          }}
        />
      );
    case 'about':
      return context.subject === null ? null : (
        <Suspense>
          <AboutProcess processKey={context.subject} onClose={closeDialog} />
        </Suspense>
      );
    case 'goToLine':
      return context.subject === null ? null : (
        <Suspense>
          <GoToLine processKey={context.subject} onClose={closeDialog} />
        </Suspense>
      );
    case 'approvals':
    case 'checkCommand':
      return (
        <Suspense>
          <ApprovalsDialog
            argv={dialog === 'checkCommand' ? (subject?.argv ?? null) : null}
            onClose={closeDialog}
          />
        </Suspense>
      );
    case 'layouts':
      return (
        <Suspense>
          <LayoutsDialog onClose={closeDialog} />
        </Suspense>
      );
    case 'palette':
    case 'splitRight':
    case 'splitBelow':
      return <CommandPalette context={context} beside={BESIDE[dialog]} onClose={closeDialog} />;
    case 'search':
      return (
        <SearchDialog
          onClose={closeDialog}
          onOpened={() => {
            closeDialog();
            showPanes();
          }}
        />
      );
    case 'history':
      return (
        <Suspense>
          <HistoryDialog
            onClose={closeDialog}
            onOpened={() => {
              closeDialog();
              showPanes();
            }}
          />
        </Suspense>
      );
    case 'away':
      return (
        <Suspense>
          <AwayDialog
            onClose={closeDialog}
            onOpened={() => {
              closeDialog();
              showPanes();
            }}
          />
        </Suspense>
      );
    case 'settings':
      return (
        <Suspense>
          <SettingsDialog onClose={closeDialog}>
            <ApprovalsSetting />
          </SettingsDialog>
        </Suspense>
      );
    case 'share':
    case 'shareAll':
      return (
        <Suspense>
          <ShareDialog processKey={dialog === 'share' ? context.subject : null} onClose={closeDialog} />
        </Suspense>
      );
    case 'record':
    case 'recordOfOne':
      return (
        <Suspense>
          <RecordDialog
            processKey={dialog === 'recordOfOne' ? context.subject : null}
            onClose={closeDialog}
          />
        </Suspense>
      );
    case 'access':
      return (
        <Suspense>
          <AccessDialog onClose={closeDialog} />
        </Suspense>
      );
    case 'connect':
      return (
        <Suspense>
          <ConnectDialog onClose={closeDialog} />
        </Suspense>
      );
    case 'help':
      return (
        <Suspense>
          <HelpSheet onClose={closeDialog} />
        </Suspense>
      );
  }
}
