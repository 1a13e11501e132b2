// The dialog over the page; only one is open at a time.
import { useState } from 'react';
import { useStore } from 'zustand';
import { ApprovalsSetting } from './views/approvals/approvals-setting.tsx';
import { CommandPalette } from './views/palette/command-palette.tsx';
import { contextNow, infoOf } from './commands/command.ts';
import { useConsole } from './parts/console-context.tsx';
import { latePart } from './parts/late-part.tsx';
import { SearchDialog } from './views/dialogs/search-dialog.tsx';
import { NewProcessDialog } from './views/dialogs/new-process-dialog.tsx';
import { closeDialog, pageStore, showPanes, type PageDialog } from './state/page/page-store.ts';

// Most dialogs are loaded when opened; those that people often open and type into are loaded with the page.
const LayoutsDialog = latePart(
  'The layouts',
  async () => (await import('./views/panes/layouts-dialog.tsx')).LayoutsDialog,
);
const GoToLine = latePart(
  'The “Go to line” dialog',
  async () => (await import('./views/panes/go-to-line.tsx')).GoToLine,
);
const AboutProcess = latePart(
  'The process details',
  async () => (await import('./views/list/about-process.tsx')).AboutProcess,
);
const ShareDialog = latePart(
  'The share dialog',
  async () => (await import('./views/dialogs/share-dialog.tsx')).ShareDialog,
);
const RecordDialog = latePart(
  'The audit log',
  async () => (await import('./views/dialogs/record-dialog.tsx')).RecordDialog,
);
const HistoryDialog = latePart(
  'The history',
  async () => (await import('./views/dialogs/history-dialog.tsx')).HistoryDialog,
);
const AwayDialog = latePart(
  'The “While you were away” report',
  async () => (await import('./views/away/away-dialog.tsx')).AwayDialog,
);
const ApprovalsDialog = latePart(
  'The approval settings',
  async () => (await import('./views/approvals/approvals-dialog.tsx')).ApprovalsDialog,
);
const AccessDialog = latePart(
  'The “Access and tokens” dialog',
  async () => (await import('./views/dialogs/access-dialog.tsx')).AccessDialog,
);
const ConnectDialog = latePart(
  'The “Connect an agent” dialog',
  async () => (await import('./views/dialogs/connect-dialog.tsx')).ConnectDialog,
);
const HelpSheet = latePart(
  'The keyboard shortcuts',
  async () => (await import('./views/palette/help-sheet.tsx')).HelpSheet,
);

const SettingsDialog = latePart(
  'The settings',
  async () => (await import('./views/dialogs/settings-dialog.tsx')).SettingsDialog,
);

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
        <AboutProcess processKey={context.subject} onClose={closeDialog} />
      );
    case 'goToLine':
      return context.subject === null ? null : (
        <GoToLine processKey={context.subject} onClose={closeDialog} />
      );
    case 'approvals':
    case 'checkCommand':
      return (
        <ApprovalsDialog
          argv={dialog === 'checkCommand' ? (subject?.argv ?? null) : null}
          onClose={closeDialog}
        />
      );
    case 'layouts':
      return <LayoutsDialog onClose={closeDialog} />;
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
        <HistoryDialog
          onClose={closeDialog}
          onOpened={() => {
            closeDialog();
            showPanes();
          }}
        />
      );
    case 'away':
      return (
        <AwayDialog
          onClose={closeDialog}
          onOpened={() => {
            closeDialog();
            showPanes();
          }}
        />
      );
    case 'settings':
      return (
        <SettingsDialog onClose={closeDialog}>
          <ApprovalsSetting />
        </SettingsDialog>
      );
    case 'share':
    case 'shareAll':
      return <ShareDialog processKey={dialog === 'share' ? context.subject : null} onClose={closeDialog} />;
    case 'record':
    case 'recordOfOne':
      return (
        <RecordDialog processKey={dialog === 'recordOfOne' ? context.subject : null} onClose={closeDialog} />
      );
    case 'access':
      return <AccessDialog onClose={closeDialog} />;
    case 'connect':
      return <ConnectDialog onClose={closeDialog} />;
    case 'help':
      return <HelpSheet onClose={closeDialog} />;
  }
}
