// Configuration of a gateway, and its limits and timers, some of which flags or tests override.
import type { PublicUrl } from './policy/public-url.ts';
import type { AddressRange } from './policy/served-peers.ts';
import type { CertificateFiles } from './doors/http/certificate.ts';
import type { User } from './host/user.ts';
import type { StatusPage } from './ops/status-pages.ts';
import { APPROVAL_LIMITS } from './approvals/limits.ts';
import { RECORD_LIMITS } from './record/limits.ts';
import type { Floor } from './host/sandbox/floor.ts';
import type { ApprovalPolicy } from '../protocol/rules.ts';
import { WINDOW_BYTES } from '../protocol/console-constants.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;

export const DEFAULT_LIMITS = {
  /** Retained output of each live process, in decoded bytes across all streams; as in the reference server. */
  retainedBytes: 1 * MIB,
  /** Retained events of a process, so that a million one-byte chunks do not need a million records. */
  retainedEvents: 65_536,
  /** Retained output of all finished processes, including a fixed size per event; the oldest is evicted first. */
  finishedBytes: 512 * MIB,
  finishedProcesses: 10_000,
  /**
   * Characters that clients supplied for finished processes (command lines, metadata, names, folders), in
   * total and per token. They are limited because a new watcher gets all of them in one message.
   */
  finishedCommandChars: 32 * MIB,
  finishedCharsPerToken: 16 * MIB,
  /** Size at which a chunk is sealed; a reader, another stream or a resize seals it earlier. */
  chunkBytes: 32 * KIB,
  /** Output unread by an attached owner or controller above which the child is paused, and at which it resumes. */
  pauseBytes: 128 * KIB,
  resumeBytes: 32 * KIB,
  /** Lifetime of a detached session; as in the reference server. */
  sessionTtlMs: 80 * SECOND,
  /** Time for which the id of a closed process stays taken; as in the reference server. */
  closedTtlMs: 80 * SECOND,
  /** Time without a read after which a process stops waiting for an owner that is catching up after a resume. */
  catchUpMs: 5 * SECOND,
  /** Number of newest writeIds that are remembered for each writer of a process. */
  writeIds: 65_536,
  /**
   * Input queued for a child's stdin from all writers, in bytes and writes; at either limit a write waits its turn.
   * The reference server queues 128 writes.
   */
  stdinQueueBytes: 8 * MIB,
  stdinQueueWrites: 1024,
  /** Input that may wait its turn for one child, in bytes; a write beyond it is refused. */
  stdinWaitingBytes: 32 * MIB,
  /** Total queued and total waiting input of all children; at either limit, a child may have only `stdinFairBytes`. */
  stdinAllBytes: 256 * MIB,
  stdinFairBytes: 64 * KIB,
  /** Time to wait, when a sandboxed process fails, for output that shows whether the sandbox was the cause. */
  sandboxVerdictMs: 50,
  /** Timeouts of a request's head (or the TLS handshake) and of a whole request; slower clients are disconnected. */
  requestHeadMs: 10 * SECOND,
  requestMs: 30 * SECOND,
  /** Maximum size of a request's head: its target and all of its headers. */
  requestHeadBytes: 16 * KIB,
  /** Interval between checks of the certificate's files, and between attempts to store its fingerprint for commands. */
  certificateLookMs: 2 * SECOND,
  /** Interval between checks of the event loop, the disk and the descriptors, for warnings in the console. */
  vitalsMs: 10 * SECOND,
  /** Size at which a client frame is refused. */
  messageBytes: 16 * MIB,
  /** Size at which an observer's frame is refused; no request that an observer may send is that large. */
  messageBytesOfObserver: 256 * KIB,
  /** Maximum number of values in one message, including lists, objects, and the values in them. */
  messageValues: 100_000,
  /** Maximum number of members of all objects in one message, such as variables and metadata. */
  messageMembers: 10_000,
  /** Maximum time from the first byte of a message to its last; checked every `pingMs`. */
  messageMs: 5 * 60 * SECOND,
  /** Maximum requests in progress on one connection, and their approximate bytes; one more closes the connection. */
  pendingRequests: 5000,
  pendingBytes: 128 * MIB,
  /** Time spent on one connection's requests before others have their turn. */
  inboundTurnMs: 2,
  /** Maximum bytes that one turn of a connection sends before other connections have theirs. */
  turnBytes: 256 * KIB,
  /** Unsent bytes of a connection at which no more events are pulled for it. */
  socketHighWaterBytes: 256 * KIB,
  /**
   * Bytes in flight to a peer: as many as it reads in `windowDelayMs` beyond the round trip, within these
   * bounds. Bulk output waits while that many are in flight; output of at most `windowPassingBytes` since the
   * last round is not bulk.
   */
  windowDelayMs: 5,
  windowLeastBytes: 64 * KIB,
  windowMostBytes: 4 * MIB,
  windowPassingBytes: 4 * KIB,
  /** Time without an answered ping after which a full window is ignored until the peer answers again. */
  windowSilenceMs: 2 * SECOND,
  /** Time without a confirmation of the round-trip time after which it is measured again. */
  windowWayMs: 10 * SECOND,
  /**
   * Unsent bytes at which a connection is closed, because its peer sends requests without reading the replies. One
   * reply always fits.
   */
  socketLimitBytes: 192 * MIB,
  /** Unsent, unanswered and partly received bytes of all connections above which the one with most is closed. */
  backlogBytes: 512 * MIB,
  /** Time limit, after the last request on stdio, for creating the last replies, and then for writing them. */
  lastRepliesMs: 1 * SECOND,
  pingMs: 10 * SECOND,
  /** Silence after which a peer counts as gone while nothing is waiting to be sent to it. */
  silentMs: 25 * SECOND,
  /**
   * Silence after which a peer counts as gone while output is waiting to be sent; longer than `silentMs`, because a
   * peer that stops reading for a while is not gone. Bytes that the kernel has accepted do not count as waiting,
   * because the session of a reconnecting agent must be free before the agent gives up after 45 s.
   */
  stalledMs: 90 * SECOND,
  /** Maximum delay of `console/changed` after a start, an exit or a change of control. */
  changedSoonMs: 50,
  /** Time for which output is collected before a `console/changed` that reports output alone. */
  changedLaterMs: 1 * SECOND,
  /** Maximum processes with new output per message: those that have waited longest, and up to as many more in view. */
  printedAtOnce: 100,
  /** Maximum number of activity entries that a person who was away gets; the newest ones. */
  activities: 10_000,
  /** Limit on bells and notifications of one process: a burst, and then one per interval. */
  attentionBurst: 5,
  attentionMs: 10 * SECOND,
  /**
   * Size at which an audit file is rotated, and the number of files retained; the newest entries are in
   * memory, too. Acts and visits have separate files with these limits.
   */
  auditBytes: 16 * MIB,
  auditFiles: 4,
  auditEntries: 10_000,
  /** Approximate bytes of audit entries in memory, in total and per token; older entries are only in the files. */
  auditKeptBytes: 32 * MIB,
  auditKeptBytesPerToken: 16 * MIB,
  /** Maximum bytes of the audit files of earlier gateways that are read at startup, for acts and visits separately. */
  auditPastBytes: 2 * MIB,
  /** Time for which the input of one connection to one process is collected into one audit entry. */
  auditInputMs: 10 * SECOND,
  /**
   * Maximum repeatable audit entries per minute, per token. For an observer, and for all guests of a share
   * together, the limit applies to all entries.
   */
  auditPerMinute: 300,
  /**
   * Refused requests per minute, of one token or all guests of a share, after which a refusal closes the
   * connection.
   */
  refusalsPerMinute: 1000,
  /** Minimum interval between the watchers' shared turns. */
  watchersTurnMs: 33,
  /** Share of time (0 to 1) for the watchers' turns; the second share applies while the event loop is busy. */
  watchersShare: 0.03,
  watchersShareWhenBusy: 0.007,
  attachWindowBytes: WINDOW_BYTES.default,
  /** Unsent bytes at which a watcher gets no more events; at least Node's high-water mark, so that a drain follows. */
  watcherHighWaterBytes: 64 * KIB,
  /** Maximum unacknowledged chunks of an attachment, whatever their size. */
  attachWindowChunks: 4096,
  /** Time without an ack after which a controller's attachment no longer holds its process back. */
  ackTimeoutMs: 10 * SECOND,
  /**
   * Maximum live processes in total, and per session. One token gets at most half of the total, and a tenth is
   * reserved for operators and admins, as for other shared resources; see `limits/budget.ts`.
   */
  processes: 1000,
  processesPerSession: 500,
  /** Retained output of all live processes: a start reserves its `retainedBytes`, or is refused. */
  liveBytes: 1024 * MIB,
  /** Maximum number of characters of a command line, as JSON, that are shown and retained. */
  shownCommandChars: 32 * KIB,
  /** Maximum processes that one connection can follow by key. */
  attachments: 2000,
  /** Maximum searches of one connection that are waiting or in progress. */
  searches: 16,
  /** Interval between retries while nothing can be started for lack of descriptors, terminals or memory. */
  startAgainMs: 2 * SECOND,
  /**
   * Maximum size in bytes of a command line with its environment, and of one argument; approximately the
   * kernel's limits.
   */
  commandBytes: 2 * MIB,
  argumentBytes: 128 * KIB,
  /**
   * Maximum number of steps for matching names with patterns, which take about 0.1 s; ten patterns and a hundred
   * variables need 1 % of them.
   */
  policySteps: 32 * MIB,
  /** Maximum number of sessions, including detached ones. */
  sessions: 10_000,
  /** Maximum number of one token's detached sessions that have no processes. */
  emptySessionsPerToken: 200,
  connectionsPerToken: 200,
  /** Maximum open connections of one guest; a share link may have fifty guests. */
  connectionsPerGuest: 10,
  /** Maximum unauthenticated sockets; the oldest one beyond it is closed. */
  unprovenSockets: 256,
  /** Maximum unanswered requests of one socket; browsers and proxies send one at a time. */
  pipelinedRequests: 16,
  /** Descriptors reserved for the gateway; those beyond these and `unprovenSockets` are divided among tokens. */
  ownDescriptors: 112,
  /** Bytes of start parameters retained for restarts, in total and per token; the oldest are evicted first. */
  restartBytes: 16 * MIB,
  restartBytesPerToken: 8 * MIB,
  /** Maximum lines that a search through all outputs returns, in total and per process. */
  searchHits: 500,
  searchHitsPerProcess: 50,
  /** Time that a search may spend on the output of one process, or with a regular expression on one segment. */
  searchMs: 2 * SECOND,
  /** Time that a search may spend on all outputs, because the same requester's next search waits for it. */
  searchAllMs: 20 * SECOND,
  /** Limits of http/request: size of a whole response, of a part of a streamed one, and number per connection. */
  httpBodyBytes: 32 * MIB,
  httpDeltaBytes: 64 * KIB,
  httpRequests: 64,
  /** Maximum requests in progress on all connections, and bytes of request bodies and of responses returned whole. */
  httpRequestsInAll: 512,
  httpBytesInAll: 512 * MIB,
  /** Maximum file requests in progress, in total and per token; operators and admins have one more. */
  fileTurns: 8,
  fileTurnsPerToken: 4,
  /** Maximum open files in separate helper processes, such as those in a sandbox. */
  fileHelpers: 128,
  /** Maximum bytes that fs/readFile returns in one reply; larger files must be read in blocks. */
  fileReadBytes: 128 * MIB,
  /** Maximum bytes of one fs/readBlock or fs/writeBlock; as in the reference server. */
  fileBlockBytes: 1 * MIB,
  /** Maximum open files of one connection, and length of their handles; as in the reference server. */
  fileHandles: 128,
  fileHandleIdBytes: 32,
  /** Limits of one fs/walk; as in the reference server. */
  walkDepth: 64,
  walkDirectories: 10_000,
  walkEntries: 50_000,
  /** Maximum characters of the names of one fs/readDirectory, or of a walk's paths and errors; a walk is truncated. */
  listingChars: 64 * MIB,
  /** Maximum paths of one fs/watchMissing and their total characters, and the interval between checks. */
  watchedPaths: 256,
  watchedChars: 64 * KIB,
  watchMs: 500,
  /** Interval between turns that send tiles, and the shorter interval when a watcher has been added. */
  tileMs: 1 * SECOND,
  tileSoonMs: 250,
  /** Time for which tiles are collected, so that they are sent together. */
  tilesTogetherMs: 30,
  /** Intervals at which usage and listening ports of processes are measured while a client requests them. */
  usageMs: 1 * SECOND,
  portsMs: 4 * SECOND,
  /** Lines above the screen that are retained for each terminal that has outgrown its log. */
  screenScrollbackLines: 1000,
  /** Terminals that outgrew their logs: maximum number in memory, and maximum bytes of the snapshots of the others. */
  screensReady: 64,
  screensStoredBytes: 64 * MIB,
  /** Maximum time of one turn of drawing a terminal, and of all its turns until it has caught up with its output. */
  screenTurnMs: 20,
  screenDrawMs: 10 * SECOND,
  /** Idle time after which a terminal may be reported as waiting for input; see `monitor/waiting.ts`. */
  waitingQuietMs: 3 * SECOND,
  waitingLookMs: SECOND,
  waitingAgainMs: 5 * SECOND,
  /** Maximum output of one terminal that was passed to its screen and is not drawn yet. */
  screenUndrawnBytes: 512 * KIB,
  /** Output held beyond a log's limit until the terminal is idle enough to be drawn; per terminal and in total. */
  screenHeldBytes: 2 * MIB,
  screensHeldBytes: 16 * MIB,
  screenLookMs: 200,
  /**
   * Maximum rate of drawing one terminal, and maximum drawn at once after an idle period. Faster output is drawn only
   * on request or after it has become slower.
   */
  screenBytesPerSecond: 1 * MIB,
  screenBurstBytes: 2 * MIB,
  /** Maximum rate of drawing all terminals together, and maximum drawn at once after an idle period. */
  screensBytesPerSecond: 12 * MIB,
  screensBurstBytes: 4 * MIB,
  ...APPROVAL_LIMITS,
  /** Maximum sessions of MCP clients; one token gets at most half. */
  mcpSessions: 1000,
  /**
   * Time without a request after which an MCP client without an open stream counts as gone, and the time
   * after which its session is removed.
   */
  mcpIdleMs: 60 * 60 * SECOND,
  mcpForgottenMs: 24 * 60 * 60 * SECOND,
  ...RECORD_LIMITS,
  /** Time limit for one page of a search through history, and the maximum number of lines on a page. */
  historyPageMs: 400,
  historyHits: 200,
  /** Maximum finished processes of earlier gateways that are open; each retains as much output as a live one. */
  pastProcesses: 64,
  /**
   * Time for which the keeper runs processes without a gateway: agents' processes outside a session, and people's and
   * pinned processes. Other processes of a session have its `sessionTtlMs`.
   */
  keptAgentMs: 10 * 60 * SECOND,
  keptMs: 24 * 60 * 60 * SECOND,
  /** Time between SIGTERM and SIGKILL for all processes when a signal stops the gateway. */
  shutdownGraceMs: 3 * SECOND,
  /** Lifetime of the code in a sign-in link. */
  codeTtlMs: 10 * 60 * SECOND,
  /** Lifetime of the page's credential. */
  pageTokenTtlMs: 30 * 24 * 60 * 60 * SECOND,
  /** Lifetime of the agent's token in the printed command; each printed command has a new one. */
  agentTokenTtlMs: 90 * 24 * 60 * 60 * SECOND,
} as const;

export type Limits = { readonly [name in keyof typeof DEFAULT_LIMITS]: number };

/** Configuration of a gateway, from the command line by `cli/options.ts` or from tests. */
export interface Config {
  readonly version: string;
  readonly host: string;
  /** Port to listen on; 0 means any free port. */
  readonly port: number;
  /** True when the port was requested, so that a busy one is an error; otherwise the next free port is used. */
  readonly portIsFixed: boolean;
  /** Absolute path of the state folder (mode 0700), which contains token hashes, the audit log and recordings. */
  readonly stateDir: string;
  /** File whose content is accepted as an operator's bearer token; created if missing. */
  readonly tokenFile: string | null;
  /** URL at which a trusted reverse proxy serves the page; null for none. */
  readonly publicUrl: PublicUrl | null;
  /** Files of the certificate; with them, only TLS is served. */
  readonly tls: CertificateFiles | null;
  /** Addresses of trusted proxies: with them, only these and this machine are served. */
  readonly trustedProxies: readonly AddressRange[];
  /** Minimum sandbox of every process. */
  readonly sandbox: Floor;
  /** Writable folders of the minimum sandbox `workspace-write`; if empty, the permitted ones that a request names. */
  readonly workspaces: readonly string[];
  /** Approval policy for the commands of agents. */
  readonly approvals: ApprovalPolicy;
  /** Additional files and folders of rules, besides those of the state folder. */
  readonly ruleFiles: readonly string[];
  /** Shell command to run for a request that starts to wait while no operator or admin watches; null for none. */
  readonly onWaiting: string | null;
  /** Status pages that are requested when their agents start a process. */
  readonly statusPages: readonly StatusPage[];
  /** True when the output of processes is recorded in the state folder. */
  readonly record: boolean;
  /** User for children and file operations; null: the gateway's user. */
  readonly user: User | null;
  /** Use of a keeper, in which processes outlive the gateway: always, never, or if possible. */
  readonly keeper: 'on' | 'off' | 'auto';
  /** Folder of the built page. */
  readonly pageDir: string;
  readonly limits: Limits;
}
