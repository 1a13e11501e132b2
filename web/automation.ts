// window.execConsole: the stable API for tests and user scripts, described in docs/automation.md.
import type { ProcessInfo } from '../protocol/console.ts';
import type { ExecClient } from '../client/exec-client.ts';
import { openPane } from './state/layout/layout-store.ts';
import { replayScreens } from './screen/replay/replay-screens.ts';
import type { ScreenText } from './screen/terminal/buffer-text.ts';
import type { Received } from './screen/terminal/received-count.ts';
import type { TerminalSession } from './screen/terminal/terminal-session.ts';
import type { Terminals } from './screen/terminal/terminals.ts';
import { showPanes } from './state/page/page-store.ts';

interface ExecConsole {
  processes(): readonly ProcessInfo[];
  open(key: string): void;
  text(key: string): string;
  screen(key: string): ScreenText;
  write(key: string, text: string): Promise<unknown>;
  received(key: string): Received;
  replayScreen(key: string): ScreenText | null;
}

declare global {
  interface Window {
    execConsole: ExecConsole;
  }
}

export function offerAutomation(client: ExecClient, terminals: Terminals): void {
  const terminal = (key: string): TerminalSession => {
    const session = terminals.get(key);
    if (!session) throw new Error(`no pane shows the process ${key}; call open(key) first`);
    return session;
  };
  window.execConsole = {
    processes: () => client.processes.list(),
    open: (key) => {
      openPane(key);
      // The list (on a phone) or the wall may cover the panes.
      showPanes();
    },
    text: (key) => terminal(key).text(),
    screen: (key) => terminal(key).screen(),
    write: (key, text) => terminal(key).write(text),
    received: (key) => terminal(key).received(),
    replayScreen: (key) => replayScreens.get(key)?.screen() ?? null,
  };
}
