// Makes the client and the terminals, and mounts the page. The only composition.
import { visible } from '../server/protocol/visible.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@xterm/xterm/css/xterm.css';
import './theme/tokens.css';
import './app.css';
import './attention/attention.css';
import './ui/cards.css';
import './ui/controls.css';
import './ui/menu.css';
import './commands/commands.css';
import './input/input.css';
import './ladder/ladder.css';
import './layout/layout.css';
import './layout/layouts-dialog.css';
import './log/log.css';
import './people/people.css';
import './processes/about-process.css';
import './ui/dialog.css';
import './ui/picker.css';
import './start/new-process-dialog.css';
import './processes/processes.css';
import './processes/filter-bar.css';
import './processes/list-notes.css';
import './processes/sandbox-note.css';
import './processes/status.css';
import './search/search.css';
import './record/record.css';
import './settings/settings.css';
import './share/share.css';
import './access/access.css';
import './terminal/copy-request.css';
import './terminal/dividers.css';
import './terminal/terminal.css';
import './terminal/narrow-pane.css';
import './terminal/search-bar.css';
import './terminal/pane-text.css';
import './usage/usage.css';
import './wall/wall.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { offerAutomation } from './automation.ts';
import { seenBefore } from './attention/attention-feed.ts';
import { startAttention } from './attention/start-attention.ts';
import { createExecClient } from './client/create-client.ts';
import { ConsoleContext } from './console-context.tsx';
import { openPane } from './layout/layout-store.ts';
import { parseLineLink, type LineLink } from './log/line-link.ts';
import { followClient, setInformed, setTerminalState } from './processes/process-store.ts';
import type { Credential } from './client/proof.ts';
import { STRANGER } from './client/proven-socket.ts';
import {
  exchange,
  forgetCredential,
  openSocket,
  probe,
  readCredential,
  signedIn,
  takeBrought,
  whyInsecure,
  type Brought,
} from './sign-in/credential.ts';
import { KeepOrReplace } from './sign-in/keep-or-replace.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { StrangerPage } from './sign-in/stranger-page.tsx';
import { GuestPage } from './share/guest-page.tsx';
import { ShareEnded } from './share/share-ended.tsx';
import { settingsStore } from './settings/settings-store.ts';
import { ringUnseen } from './terminal/bell.ts';
import { keepControl } from './terminal/kept-control.ts';
import { restWhileHidden } from './terminal/rest-while-hidden.ts';
import { styleByFont } from './terminal/terminal-font.ts';
import { followGatewayHealth } from './ui/gateway-news.ts';
import { PageFailure } from './ui/page-failure.tsx';
import { Terminals } from './terminal/terminals.ts';
import { onThemeChange, startTheme } from './theme/theme-store.ts';
import { showPanes } from './ui/page-store.ts';
import { isGuest } from './ui/storage.ts';
import { UsageFeed } from './usage/usage-feed.ts';
import { errorText } from './ui/error-text.ts';

const element = document.getElementById('root');
if (!element) throw new Error('invariant violation: index.html has no #root');
const root = createRoot(element);

function showShareEnded(): void {
  root.render(
    <StrictMode>
      <ShareEnded />
    </StrictMode>,
  );
}

function showSignIn(problem: string | null, hasFailed = false): void {
  root.render(
    <StrictMode>
      <SignInPage problem={problem} hasFailed={hasFailed} />
    </StrictMode>,
  );
}

function showStranger(): void {
  root.render(
    <StrictMode>
      <StrangerPage />
    </StrictMode>,
  );
}

/** Whether the link is to be used although this browser is signed in. */
async function mayReplace(brought: Brought): Promise<boolean> {
  const known = signedIn();
  const credential = 'code' in brought && known ? await readCredential() : null;
  if (!known || !credential || (await probe(credential)) === 'refused') return true;
  return new Promise((resolve) => {
    root.render(
      <StrictMode>
        <KeepOrReplace signedIn={known} onKeep={() => resolve(false)} onReplace={() => resolve(true)} />
      </StrictMode>,
    );
  });
}

const showFailure = (reason: string): void =>
  showSignIn(`The gateway does not let this page in any more: ${visible(reason)}.`, true);

function showConsole(credential: Credential, link: LineLink | null): void {
  const seen = seenBefore();
  const client = createExecClient({
    socket: () => openSocket(credential),
    clientName: 'exec-console page',
    ...(seen && { sinceChange: seen.change }),
  });
  const terminals = new Terminals({ client, onState: setTerminalState });
  const usage = new UsageFeed({
    client,
    isHidden: () => document.visibilityState === 'hidden',
    informed: setInformed,
  });
  usage.start();
  followGatewayHealth();
  followClient(client);
  keepControl(client);
  restWhileHidden(client);
  const haveRead = startAttention(client, seen, (key) => {
    // As when its output comes: what no pane shows does not ring.
    if (terminals.get(key)) ringUnseen();
  });
  onThemeChange(() => terminals.applyTheme());
  settingsStore.subscribe(() => {
    styleByFont();
    terminals.applySettings();
  });
  styleByFont();
  offerAutomation(client, terminals);
  client.connection.onState((state) => {
    if (state.kind !== 'failed') return;
    if (state.reason === STRANGER) {
      void forgetCredential();
      showStranger();
      return;
    }
    if (isGuest) {
      // A connection that is closed does not say whether what it showed is over, or only itself.
      void probe(credential).then((why) =>
        why === 'refused' ? showShareEnded() : showFailure(state.reason),
      );
      return;
    }
    // The key is kept: what refuses it may not be the gateway. Whoever opens a new link gets another one.
    showFailure(state.reason);
  });
  const retry = (): void => {
    if (document.visibilityState === 'visible') client.connection.retryNow();
  };
  window.addEventListener('online', retry);
  window.addEventListener('focus', retry);
  document.addEventListener('visibilitychange', retry);
  document.addEventListener('visibilitychange', () => usage.visibilityChanged());
  client.connection.open();
  const goTo = (line: LineLink): void => {
    openPane(line.key);
    showPanes();
    terminals.goTo(line);
  };
  if (link) goTo(link);
  // A link that is pasted into this tab changes nothing but the fragment.
  window.addEventListener('hashchange', () => {
    const { state } = client.connection;
    // A reload would run the page of the program that has taken the address.
    if (state.kind === 'failed' && state.reason === STRANGER) return;
    const line = parseLineLink(location.hash);
    if (line) goTo(line);
    else location.reload();
  });
  root.render(
    <StrictMode>
      <ConsoleContext value={{ client, terminals, usage, haveRead }}>
        <PageFailure>{isGuest ? <GuestPage /> : <App />}</PageFailure>
      </ConsoleContext>
    </StrictMode>,
  );
}

async function start(): Promise<void> {
  startTheme();
  const link = parseLineLink(location.hash);
  const brought = takeBrought();
  let problem = whyInsecure();
  if (brought && problem === null && (await mayReplace(brought))) {
    // A link that is over must not show what another one showed in this tab.
    if (isGuest) await forgetCredential();
    try {
      await exchange(brought);
    } catch (error) {
      problem = `That link did not work: ${errorText(error)}.`;
    }
  }
  // A terminal measures its font once, so the font must be there.
  await document.fonts.load('13px "JetBrains Mono Variable"').catch(() => []);
  const credential = whyInsecure() === null ? await readCredential() : null;
  // Who has a credential gets in also with a used link: a bookmark of it is not a mistake worth a wall.
  if (credential === null) {
    window.addEventListener('hashchange', () => location.reload());
    if (isGuest) showShareEnded();
    else showSignIn(problem);
  } else {
    showConsole(credential, link);
  }
}

void start();
