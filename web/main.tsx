// Entry point: creates the client and the terminals, and mounts the page.
import { visible } from '../text/visible.ts';
import '@fontsource-variable/inter/wght.css';
import './parts/mono-font.css';
import '@xterm/xterm/css/xterm.css';
import './parts/tokens.css';
import './app.css';
import './views/approvals/approvals.css';
import './views/approvals/approvals-dialog.css';
import './views/list/attention.css';
import './parts/cards.css';
import './parts/controls.css';
import './parts/menu.css';
import './parts/short-title.css';
import './views/palette/commands.css';
import './views/panes/input.css';
import './views/ending/ladder.css';
import './views/ending/selection.css';
import './views/panes/layout.css';
import './views/panes/layouts-dialog.css';
import './screen/log/log.css';
import './views/people/people.css';
import './views/list/about-process.css';
import './parts/dialog.css';
import './parts/picker.css';
import './views/dialogs/new-process-dialog.css';
import './views/list/processes.css';
import './views/list/process-row.css';
import './views/list/filter-bar.css';
import './views/list/list-notes.css';
import './parts/sandbox-note.css';
import './parts/status.css';
import './views/dialogs/search.css';
import './views/dialogs/found-bar.css';
import './views/dialogs/history.css';
import './views/away/away.css';
import './views/dialogs/record.css';
import './views/dialogs/settings.css';
import './views/dialogs/share.css';
import './views/dialogs/access.css';
import './views/panes/copy-request.css';
import './screen/terminal/dividers.css';
import './screen/terminal/terminal.css';
import './views/panes/pane-bars.css';
import './views/replay/replay.css';
import './views/timeline/timeline.css';
import './views/panes/narrow-pane.css';
import './views/panes/search-bar.css';
import './views/panes/pane-text.css';
import './parts/usage.css';
import './views/wall/wall.css';
import './views/overview/home.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { offerAutomation } from './automation.ts';
import { followApprovals } from './state/approvals/approvals-store.ts';
import { goToComing, parseRequestLink } from './state/approvals/request-link.ts';
import { seenBefore } from './state/attention/attention-feed.ts';
import { startAttention } from './state/attention/start-attention.ts';
import { createExecClient } from '../client/create-client.ts';
import { ConsoleContext } from './parts/console-context.tsx';
import { openPane } from './state/layout/layout-store.ts';
import { parseMomentLink, startReplay, type MomentLink } from './state/replay/replaying.ts';
import { parseLineLink, type LineLink } from './state/page/line-link.ts';
import { followRemovals } from './state/processes/found-lines.ts';
import { followClient, setInformed, setTerminalState } from './state/processes/process-store.ts';
import { UNKNOWN_CREDENTIAL, type Credential } from '../client/proof.ts';
import { STRANGER } from '../client/proven-socket.ts';
import {
  exchange,
  forgetCredential,
  LinkEnded,
  openSocket,
  probe,
  readCredential,
  signedIn,
  takeBrought,
  whyInsecure,
  type Brought,
} from './state/page/credential.ts';
import { whyIncomplete } from './state/page/pasted-link.ts';
import { KeepOrReplace } from './views/dialogs/keep-or-replace.tsx';
import { SignInPage } from './views/dialogs/sign-in-page.tsx';
import { StrangerPage } from './views/dialogs/stranger-page.tsx';
import { GuestPage } from './guest-page.tsx';
import { ShareEnded } from './views/dialogs/share-ended.tsx';
import { settingsStore } from './state/page/settings-store.ts';
import { ringUnseen } from './screen/terminal/bell.ts';
import { keepControl } from './state/page/controlled-processes.ts';
import { restWhileHidden } from './state/page/rest-while-hidden.ts';
import { styleByFont } from './state/page/terminal-font.ts';
import { followGatewayHealth } from './state/attention/gateway-notices.ts';
import { PageFailure } from './parts/page-failure.tsx';
import { Terminals } from './screen/terminal/terminals.ts';
import { PAGE_CLIENT_NAME } from './state/page/client-name.ts';
import { onThemeChange, startTheme } from './state/page/theme-store.ts';
import { showPanes, showProblem } from './state/page/page-store.ts';
import { isGuest } from './state/page/storage.ts';
import { knowPast } from './state/layout/know-past.ts';
import { UsageFeed } from './state/processes/usage-feed.ts';
import { errorSentence } from '../text/error-text.ts';

const element = document.getElementById('root');
if (!element) throw new Error('invariant violation: index.html has no #root');
const root = createRoot(element);

/** `problem`: why the share cannot be opened; null when it has ended. */
function showShareEnded(problem: string | null = null): void {
  root.render(
    <StrictMode>
      <ShareEnded problem={problem} />
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

/**
 * Asks whether the link may replace the credential with which this browser is signed in. Resolves to `unasked` for a
 * share link, and when the browser has no credential or the gateway refuses it.
 */
async function keepOrReplace(brought: Brought): Promise<'unasked' | 'keep' | 'replace'> {
  const known = signedIn();
  const credential = 'code' in brought && known ? await readCredential() : null;
  if (!known || !credential || (await probe(credential)) === 'refused') return 'unasked';
  return new Promise((resolve) => {
    root.render(
      <StrictMode>
        <KeepOrReplace signedIn={known} onKeep={() => resolve('keep')} onReplace={() => resolve('replace')} />
      </StrictMode>,
    );
  });
}

const showFailure = (reason: string): void =>
  showSignIn(
    reason.endsWith(UNKNOWN_CREDENTIAL)
      ? 'Your sign-in has expired or was revoked.'
      : `The gateway refused this page: ${visible(reason)}.`,
    true,
  );

/** Links in the page's address when it was opened, read before `takeBrought` removes the fragment. */
interface Opened {
  readonly line: LineLink | null;
  readonly moment: MomentLink | null;
  readonly request: string | null;
}

function showConsole(credential: Credential, { line, moment, request }: Opened): void {
  const seen = seenBefore();
  const client = createExecClient({
    socket: () => openSocket(credential),
    clientName: PAGE_CLIENT_NAME,
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
  followApprovals(client);
  keepControl(client);
  restWhileHidden(client);
  const dismissAbsence = startAttention(
    client,
    seen,
    (key) => {
      // The bell of a process that is not visible rings only if the process has a pane.
      if (terminals.get(key)) ringUnseen();
    },
    ringUnseen,
  );
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
      // A closed connection alone does not reveal whether the share has ended.
      void probe(credential).then((why) =>
        why === 'refused' ? showShareEnded() : showFailure(state.reason),
      );
      return;
    }
    // The credential stays stored, since the refusal may not come from the gateway; a new link replaces it.
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
  const goToMoment = ({ key, offsetMs }: MomentLink): void => {
    openPane(key);
    showPanes();
    startReplay(key, offsetMs);
  };
  if (!isGuest) knowPast(client);
  followRemovals(client);
  if (line) goTo(line);
  if (moment) goToMoment(moment);
  if (request !== null) goToComing(request);
  // Pasting a link into this tab changes only the fragment, so the page does not reload.
  window.addEventListener('hashchange', () => {
    const { state } = client.connection;
    // A reload would run the page of the program that now uses this address.
    if (state.kind === 'failed' && state.reason === STRANGER) return;
    const line = parseLineLink(location.hash);
    const moment = parseMomentLink(location.hash);
    const asked = parseRequestLink(location.hash);
    if (line) goTo(line);
    else if (moment) goToMoment(moment);
    else if (asked !== null) goToComing(asked);
    else location.reload();
  });
  root.render(
    <StrictMode>
      <ConsoleContext value={{ client, terminals, usage, dismissAbsence }}>
        <PageFailure>{isGuest ? <GuestPage /> : <App />}</PageFailure>
      </ConsoleContext>
    </StrictMode>,
  );
}

async function start(): Promise<void> {
  startTheme();
  const opened = {
    line: parseLineLink(location.hash),
    moment: parseMomentLink(location.hash),
    request: parseRequestLink(location.hash),
  };
  const brought = takeBrought();
  let problem = whyInsecure();
  const answer = brought && problem === null ? await keepOrReplace(brought) : 'keep';
  if (brought && answer !== 'keep') {
    // An expired share link must not show another share in this tab.
    if (isGuest) await forgetCredential();
    problem = whyIncomplete(brought);
    try {
      if (problem === null) await exchange(brought);
    } catch (error) {
      // A share that has ended has a page of its own.
      problem = isGuest && error instanceof LinkEnded ? null : `${errorSentence(error)}.`;
    }
  }
  // A terminal measures its font only once, so the font must be loaded first.
  await document.fonts.load('13px "JetBrains Mono Variable"').catch(() => []);
  const credential = whyInsecure() === null ? await readCredential() : null;
  // A stored credential still works when the link was already used, so a bookmarked link shows no error.
  if (credential === null) {
    window.addEventListener('hashchange', () => location.reload());
    if (isGuest) showShareEnded(problem);
    else showSignIn(problem);
  } else {
    showConsole(credential, opened);
    // A person who chose the link must notice that they are still signed in as the former user.
    if (answer === 'replace' && problem !== null) showProblem(`${problem} You are signed in as before.`);
  }
}

void start();
