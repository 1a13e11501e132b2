// Commands for reading a process's output as plain text, and for saving it.
import type { DownloadKind } from '../state/page/masked-store.ts';
import { saveFile } from '../screen/download/save-file.ts';
import { processStore } from '../state/processes/process-store.ts';
import { showPaneText } from '../state/page/pane-text-store.ts';
import { hasOutput, infoOf, inField, onPane, type Command } from './command.ts';

export const READING_COMMANDS: readonly Command[] = [
  {
    id: 'plainText',
    title: 'Read as plain text',
    words: 'copy select screen reader accessible logs',
    group: 'Panes',
    keys: [inField('Mod+Shift+U')],
    menu: 'Output',
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject }) => {
      if (subject !== null) showPaneText(subject);
    },
  },
  scroll('PageUp', 'Scroll up', -1),
  scroll('PageDown', 'Scroll down', 1),
  save('text', 'Save as text'),
  save('html', 'Save as HTML, with colours'),
  save('cast', 'Save as asciicast', 'download export recording asciinema replay'),
  save('raw', 'Save raw bytes'),
];

/** Returns a command that scrolls a pane that has the focus itself; a focused terminal receives these keys instead. */
function scroll(keys: string, title: string, pages: number): Command {
  return {
    id: `scroll-${keys}`,
    title,
    group: 'Panes',
    isOnlyKeys: true,
    keys: [onPane(keys)],
    repeats: true,
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject, terminals }) => {
      if (subject !== null) terminals.get(subject)?.scroll(pages);
    },
  };
}

function save(kind: DownloadKind, title: string, words = 'download export file logs output'): Command {
  return {
    id: `download-${kind}`,
    title,
    words,
    group: 'Process',
    menu: 'Save',
    when: (context) => hasOutput(context) && processStore.getState().connection.kind === 'online',
    run: (context) => {
      const info = infoOf(context);
      if (!info) return;
      void saveFile(context.client.connection, { info, kind, range: null, secrets: 'masked' });
    },
  };
}
