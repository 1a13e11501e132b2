// Commands for what a process has printed: to read it as plain text, to save it.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import type { DownloadKind } from '../download/download.ts';
import { processStore } from '../processes/process-store.ts';
import { showPaneText } from '../terminal/pane-text-store.ts';
import { tellProblem } from '../ui/page-store.ts';
import { infoOf, inTerminal, type Command, type CommandContext } from './command.ts';
import { errorText } from '../ui/error-text.ts';

export const READING_COMMANDS: readonly Command[] = [
  {
    id: 'plainText',
    title: 'Read as plain text',
    words: 'copy select screen reader accessible logs',
    group: 'Panes',
    keys: [inTerminal('Mod+Shift+U')],
    menu: 'Output',
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject }) => {
      if (subject !== null) showPaneText(subject);
    },
  },
  save('text', 'Download as text'),
  save('html', 'Download as HTML, with colours'),
  save('cast', 'Download as asciicast, to be played', 'save export recording asciinema replay'),
  save('raw', 'Download raw, byte by byte'),
];

function save(kind: DownloadKind, title: string, words = 'save export file logs output'): Command {
  return {
    id: `download-${kind}`,
    title,
    words,
    group: 'Process',
    menu: 'Output',
    when: (context) => infoOf(context) !== undefined && processStore.getState().connection.kind === 'online',
    run: (context) => {
      const info = infoOf(context);
      if (!info) return;
      saveFile(context, info, kind).catch((error: unknown) => tellProblem(`Not saved: ${errorText(error)}`));
    },
  };
}

async function saveFile({ client }: CommandContext, info: ProcessInfo, kind: DownloadKind): Promise<void> {
  const { download } = await import('../download/download.ts');
  await download(client.connection, info, kind);
}
