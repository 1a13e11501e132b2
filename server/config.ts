// The limits and timers of what connections and processes may cost, explained; tests shorten them here and nowhere else.
import type { PublicUrl } from './policy/public-url.ts';
import type { AddressRange } from './policy/served-peers.ts';
import type { CertificateFiles } from './doors/http/certificate.ts';
import type { User } from './host/user.ts';
import type { StatusPage } from './ops/status-pages.ts';
import { RECORD_LIMITS } from './record/limits.ts';
import type { Floor } from './host/sandbox/floor.ts';
import type { ApprovalPolicy } from '../protocol/rules.ts';
import { WINDOW_BYTES } from '../protocol/console-constants.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;

export const DEFAULT_LIMITS = {
  /** Output kept of every live process, in decoded bytes over all streams; as in the reference. */
  retainedBytes: 1 * MIB,
  /** Events kept of a process, so that a million one-byte chunks do not cost a million records. */
  retainedEvents: 65_536,
  /** Output kept of finished processes in all, with what its events cost; the oldest is dropped first. */
  finishedBytes: 512 * MIB,
  finishedProcesses: 10_000,
  /**
   * Characters that clients supplied for finished processes (command lines, metadata, names, folders), in total and per
   * token: a new watcher gets all of them in one message.
   */
  finishedCommandChars: 32 * MIB,
  finishedCharsPerToken: 16 * MIB,
  /** Size at which a chunk is sealed when no reader pulls it sooner. */
  chunkBytes: 32 * KIB,
  /** Output unread by an attached owner: above the first the child is no longer read, below the second it is again. */
  pauseBytes: 128 * KIB,
  resumeBytes: 32 * KIB,
  /** Lifetime of a detached session. The reference: 80 s. */
  sessionTtlMs: 80 * SECOND,
  /** Time for which the owner's processId of a closed process is remembered. The reference: 80 s. */
  closedTtlMs: 80 * SECOND,
  /** Time after a resume that a process waits for its owner to read what it missed, so that the window holds it. */
  catchUpMs: 5 * SECOND,
  /** The newest writeIds remembered of each writer of a process. */
  writeIds: 65_536,
  /**
   * Input queued for a child's stdin over all writers; at either limit a write waits its turn. The reference queues 128
   * writes.
   */
  stdinQueueBytes: 8 * MIB,
  stdinQueueWrites: 1024,
  /** Input that may wait its turn; a write beyond it is refused. */
  stdinWaitingBytes: 32 * MIB,
  /** Input queued for all children together, and as much waiting; beyond it a child's share is the second. */
  stdinAllBytes: 256 * MIB,
  stdinFairBytes: 64 * KIB,
  /** Time after the exit of a sandboxed process for the output that shows whether the sandbox was the cause. */
  sandboxVerdictMs: 50,
  /**
   * Time for the head of a request or the handshake of TLS, and for a whole request; a slower client is disconnected.
   */
  requestHeadMs: 10 * SECOND,
  requestMs: 30 * SECOND,
  /** The head of a request: its target and all of its headers. */
  requestHeadBytes: 16 * KIB,
  /** Interval of checks whether the certificate's files have changed. */
  certificateLookMs: 2 * SECOND,
  /** Interval of checks of the event loop, the disk and the descriptors, for warnings in the console. */
  vitalsMs: 10 * SECOND,
  /** A client frame must be smaller than this. */
  messageBytes: 16 * MIB,
  /** The same for an observer: none of their requests needs more. */
  messageBytesOfObserver: 256 * KIB,
  /** Values in one message: parts of lists and objects, and these themselves. */
  messageValues: 100_000,
  /** Members of all objects in one message: variables, metadata. */
  messageMembers: 10_000,
  /** Time from the first byte of a message to its last; checked every `pingMs`. */
  messageMs: 5 * 60 * SECOND,
  /** Requests of one connection that are being worked on, and about their bytes; one more closes it. */
  pendingRequests: 5000,
  pendingBytes: 128 * MIB,
  /** Time spent on one connection's requests before others have their turn. */
  inboundTurnMs: 2,
  /** Most bytes that one turn of a connection sends before other connections have theirs. */
  turnBytes: 256 * KIB,
  /** Unsent bytes of a connection: above it no more events are pulled for it. */
  socketHighWaterBytes: 256 * KIB,
  /**
   * Bytes sent to a peer and not read yet: as many as it reads in `windowDelayMs` beyond the round trip, within these
   * bounds; bulk output waits for that. Output of at most `windowPassingBytes` since the last round is not bulk.
   */
  windowDelayMs: 5,
  windowLeastBytes: 64 * KIB,
  windowMostBytes: 4 * MIB,
  windowPassingBytes: 4 * KIB,
  /** Time without a read or an answered ping after which the window does not count until there is one. */
  windowSilenceMs: 2 * SECOND,
  /** Time for which the shortest measured round trip counts. */
  windowWayMs: 10 * SECOND,
  /** Unsent bytes at which a connection is closed: it requests replies and does not read them. One reply has room. */
  socketLimitBytes: 192 * MIB,
  /**
   * The same over all connections, with incomplete incoming messages: above it the connection with the most is closed.
   */
  backlogBytes: 512 * MIB,
  /** Time after the last request of a peer on stdio for its last replies to be made, and then to be read. */
  lastRepliesMs: 1 * SECOND,
  pingMs: 10 * SECOND,
  /** Silence after which a peer is gone, while nothing waits to be sent. */
  silentMs: 25 * SECOND,
  /**
   * The same silence while something waits: a stopped reader is not a dead one. Bytes that the kernel has taken do not count: the
   * session of an agent that reconnects must be free before the agent stops trying, which it does after 45 s.
   */
  stalledMs: 90 * SECOND,
  /** Time between a start, exit or change of control and its `console/changed`. */
  changedSoonMs: 50,
  /** The same for processes that only print. */
  changedLaterMs: 1 * SECOND,
  /** Processes that only print, in one message: those in view first, and of the rest those that have waited longest. */
  printedAtOnce: 100,
  /** Activity kept for people who were away: the newest entries, so many. */
  activities: 10_000,
  /** Bells and notifications of one process in it: so many in a row, and then one per interval. */
  attentionBurst: 5,
  attentionMs: 10 * SECOND,
  /**
   * Size at which an audit file is rotated, and the number of files kept; the newest entries are in memory, too. All of
   * it twice: for acts, and for visits.
   */
  auditBytes: 16 * MIB,
  auditFiles: 4,
  auditEntries: 10_000,
  /** Approximate bytes of these entries in memory, in total and per token: beyond, the oldest are in the files only. */
  auditKeptBytes: 32 * MIB,
  auditKeptBytesPerToken: 16 * MIB,
  /** Time within which one connection's input to one process becomes one entry. */
  auditInputMs: 10 * SECOND,
  /** Repeatable entries per minute of one token; for observers, or all guests of one share, all entries. */
  auditPerMinute: 300,
  /**
   * Refused requests per minute of one token, or of all guests of one share, after which connections that go on are
   * closed.
   */
  refusalsPerMinute: 1000,
  /** Shortest interval of the shared watchers' turns. */
  watchersTurnMs: 33,
  /** Share of the time (0 to 1) for these turns; the second applies while the event loop has none left. */
  watchersShare: 0.03,
  watchersShareWhenBusy: 0.007,
  attachWindowBytes: WINDOW_BYTES.default,
  /** The same for a watcher's events; above Node's own mark (16 KiB), so that a drain is sure to follow. */
  watcherHighWaterBytes: 64 * KIB,
  /** Chunks that an attachment may have unacknowledged, whatever their size. */
  attachWindowChunks: 4096,
  /** A controller's attachment without an ack for this long no longer holds its process back. */
  ackTimeoutMs: 10 * SECOND,
  /**
   * Live processes in total, and per session. Of these, and of all other shared resources, one token gets half at the
   * most, and a tenth is reserved for operators and admins; see `kept/budget.ts`.
   */
  processes: 1000,
  processesPerSession: 500,
  /** Output kept of all live processes together: a start reserves its `retainedBytes`, or is refused. */
  liveBytes: 1024 * MIB,
  /** Characters of a command line, as JSON, that are shown and kept. */
  shownCommandChars: 32 * KIB,
  /** Processes that one connection follows by key. */
  attachments: 2000,
  /** Searches of one connection that wait for their turn or have it. */
  searches: 16,
  /** Interval of tries while nothing can be started for want of descriptors, terminals or memory. */
  startAgainMs: 2 * SECOND,
  /** Bytes of a command line with its environment, and of each argument; about the kernel's limits. */
  commandBytes: 2 * MIB,
  argumentBytes: 128 * KIB,
  /**
   * Steps of matching names with patterns: a tenth of a second at the worst; ten patterns and a hundred variables need
   * a hundredth of it.
   */
  policySteps: 32 * MIB,
  /** Sessions, the detached ones included. */
  sessions: 10_000,
  /** Detached sessions of one token without processes; as many as may have been cut off at once. */
  emptySessionsPerToken: 200,
  /** Open connections of one token. */
  connectionsPerToken: 200,
  /** The same of one guest; one share link may bring fifty of them. */
  connectionsPerGuest: 10,
  /** Unauthenticated sockets; for one more the oldest is dropped. */
  unprovenSockets: 256,
  /** Requests that one socket may send before the first of them is answered; browsers and proxies send one at a time. */
  pipelinedRequests: 16,
  /** Descriptors that the gateway needs for itself; the others are divided. */
  ownDescriptors: 112,
  /** Parameters of starts, kept for restarts, in total and per token; the oldest are forgotten first. */
  restartBytes: 16 * MIB,
  restartBytesPerToken: 8 * MIB,
  /** Lines that a search through all outputs returns, in total and per process. */
  searchHits: 500,
  searchHitsPerProcess: 50,
  /** Time that a search may spend on the output of one process. */
  searchMs: 2 * SECOND,
  /** Time that it may spend on all of them: the next search waits for it. */
  searchAllMs: 20 * SECOND,
  /**
   * Size of an http/request answer that is returned whole, of a part of one that is streamed, and the number under way.
   */
  httpBodyBytes: 32 * MIB,
  httpDeltaBytes: 64 * KIB,
  httpRequests: 64,
  /** The same over all connections, and the bytes of request bodies and of answers that are returned whole. */
  httpRequestsInAll: 512,
  httpBytesInAll: 512 * MIB,
  /** Requests about files that are worked on at once, and of one token; operators and admins have one more. */
  fileTurns: 8,
  fileTurnsPerToken: 4,
  /** Files that are open in helper processes of their own, as those in a sandbox are. */
  fileHelpers: 128,
  /** Most bytes that fs/readFile returns in one reply; larger files are read by blocks. */
  fileReadBytes: 128 * MIB,
  /** The most that one fs/readBlock or fs/writeBlock carries; as in the reference. */
  fileBlockBytes: 1 * MIB,
  /** Files that one connection may have open, and the length of its names for them; as in the reference. */
  fileHandles: 128,
  fileHandleIdBytes: 32,
  /** Limits of one fs/walk; as in the reference. */
  walkDepth: 64,
  walkDirectories: 10_000,
  walkEntries: 50_000,
  /**
   * Characters of the names of one fs/readDirectory, or of the paths of one fs/walk; a larger walk is truncated there.
   */
  listingChars: 64 * MIB,
  /** Paths of one fs/watchMissing, their characters, and the interval of checks. */
  watchedPaths: 256,
  watchedChars: 64 * KIB,
  watchMs: 500,
  /** Interval of tiles of one process, for viewers of many. */
  tileMs: 1 * SECOND,
  /** Time until the first tile when a viewer begins to look. */
  tileSoonMs: 250,
  /** Time within which tiles are sent together. */
  tilesTogetherMs: 30,
  /** Intervals of checks of the usage of processes, and of the ports they listen on, while a client requests it. */
  usageMs: 1 * SECOND,
  portsMs: 4 * SECOND,
  /** Lines above the screen that are kept of each terminal that has outgrown its log. */
  screenScrollbackLines: 1000,
  /** Number of these kept as terminals, the others as snapshots. */
  screensReady: 64,
  /** Bytes of all these snapshots; the oldest are evicted beyond it. */
  screensStoredBytes: 64 * MIB,
  /** Silence after which a terminal may be reported as waiting for input; see `waiting/`. */
  waitingQuietMs: 3 * SECOND,
  waitingLookMs: SECOND,
  waitingAgainMs: 5 * SECOND,
  /** Output of one terminal that was passed to its screen and is not drawn yet. */
  screenUndrawnBytes: 512 * KIB,
  /**
   * Output beyond what its log retains that waits for a terminal to be quiet enough to be drawn; and for all together.
   */
  screenHeldBytes: 2 * MIB,
  screensHeldBytes: 16 * MIB,
  screenLookMs: 200,
  /** Rate above which output is a flood, drawn only when that is over; and the most drawn at once after a quiet. */
  screenBytesPerSecond: 1 * MIB,
  screenBurstBytes: 2 * MIB,
  /** The same for all floods together. */
  screensBytesPerSecond: 12 * MIB,
  screensBurstBytes: 4 * MIB,
  /** Requests of agents that wait for a person, in total; and finished ones that are still listed. */
  approvalsWaiting: 10_000,
  approvalsOver: 1000,
  /** Time until a waiting request expires; 0: never. */
  approvalTimeoutMs: 0,
  /** Sessions of clients of the Model Context Protocol; one token gets half. */
  mcpSessions: 1000,
  /**
   * Time without a request after which such a client counts as gone, where it holds no stream open that shows that it is
   * there; and after which its session is forgotten.
   */
  mcpIdleMs: 60 * 60 * SECOND,
  mcpForgottenMs: 24 * 60 * 60 * SECOND,
  ...RECORD_LIMITS,
  /** Time that one page of a search through history takes at most, and its lines. */
  historyPageMs: 400,
  historyHits: 200,
  /** Finished processes of earlier gateways that are open at once; each keeps as much output as a live one. */
  pastProcesses: 64,
  /**
   * Time for which the keeper keeps what runs while there is no gateway: agents' processes outside a session, and those
   * of people. Those of a session have its `sessionTtlMs`.
   */
  keptAgentMs: 10 * 60 * SECOND,
  keptMs: 24 * 60 * 60 * SECOND,
  /** Time between SIGTERM and SIGKILL for the gateway's own processes when it gets a SIGTERM. */
  shutdownGraceMs: 3 * SECOND,
  /** Lifetime of a printed link's code. */
  codeTtlMs: 10 * 60 * SECOND,
  /** Lifetime of the page's credential. */
  pageTokenTtlMs: 30 * 24 * 60 * 60 * SECOND,
  /** Lifetime of the token in the printed one-liner for agents; a new one at each start. */
  agentTokenTtlMs: 90 * 24 * 60 * 60 * SECOND,
} as const;

export type Limits = { readonly [name in keyof typeof DEFAULT_LIMITS]: number };

/** Configuration of a gateway before it starts; made from argv by `cli/options.ts`, by hand in tests. */
export interface Config {
  readonly version: string;
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /**
   * True when the port was requested, so that a busy one is an error; false for the default, where the next free one
   * will do.
   */
  readonly portIsFixed: boolean;
  /** Absolute. Tokens as hashes, the address of the running gateway; 0700. */
  readonly stateDir: string;
  /** A file whose content is accepted as an operator's bearer token; made if missing. */
  readonly tokenFile: string | null;
  /** Address at which a trusted reverse proxy shows the page, if one does. */
  readonly publicUrl: PublicUrl | null;
  /** Files of the certificate; with them, only TLS is served. */
  readonly tls: CertificateFiles | null;
  /** Addresses of trusted proxies: with them, only these and this machine are served. */
  readonly trustedProxies: readonly AddressRange[];
  /** The weakest sandbox that applies to whatever is started. */
  readonly sandbox: Floor;
  /** Folders that the floor `workspace-write` lets be written to; none: each request names its own. */
  readonly workspaces: readonly string[];
  /** The policy for the commands of agents. */
  readonly approvals: ApprovalPolicy;
  /** Files and folders of rules beside those of the state folder. */
  readonly ruleFiles: readonly string[];
  /** Shell command to run for each request that no person sees; null for none. */
  readonly onWaiting: string | null;
  /** Pages that are fetched when their agents start something. */
  readonly statusPages: readonly StatusPage[];
  /** True when the output of processes is recorded in the state folder. */
  readonly record: boolean;
  /** User for children and file operations; null: the gateway's own user. */
  readonly user: User | null;
  /** True when processes run in a keeper, and outlive the gateway. */
  readonly isKept: boolean;
  /** The built page. */
  readonly pageDir: string;
  readonly limits: Limits;
}
