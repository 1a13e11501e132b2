// The limits and timers of what connections and processes may cost, explained; tests shorten them here and nowhere else.
import type { PublicUrl } from './policy/public-url.ts';
import type { AddressRange } from './policy/served-peers.ts';
import type { CertificateFiles } from './doors/http/certificate.ts';
import type { User } from './host/user.ts';
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
   * Of what clients say of finished processes (command lines, metadata, names, folders), in all and of one token:
   * whoever watches is told of them in one message.
   */
  finishedCommandChars: 32 * MIB,
  finishedCharsPerToken: 16 * MIB,
  /** A chunk is sealed at this many bytes when nobody pulls it sooner. */
  chunkBytes: 32 * KIB,
  /** Unread by an attached owner: above the first the child is not read any more, below the second it is again. */
  pauseBytes: 128 * KIB,
  resumeBytes: 32 * KIB,
  /** How long a detached session lives. The reference: 80 s. */
  sessionTtlMs: 80 * SECOND,
  /** How long the owner's processId of a closed process is remembered. The reference: 80 s. */
  closedTtlMs: 80 * SECOND,
  /** After a resume a process waits this long for its owner to read what it missed, so that the window holds it. */
  catchUpMs: 5 * SECOND,
  /** The newest writeIds remembered of each writer of a process. */
  writeIds: 65_536,
  /** Queued for a child's stdin over all writers; at either a write waits its turn. The reference queues 128 writes. */
  stdinQueueBytes: 8 * MIB,
  stdinQueueWrites: 1024,
  /** What may wait its turn; a write beyond it is refused. */
  stdinWaitingBytes: 32 * MIB,
  /** Queued for all children together, and as much waiting; beyond it a child's share is the second. */
  stdinAllBytes: 256 * MIB,
  stdinFairBytes: 64 * KIB,
  /** After the exit of a sandboxed process: for the output that tells whether the sandbox was the cause. */
  sandboxVerdictMs: 50,
  /** For the head of a request or the handshake of TLS, and for a whole request; whoever is slower is cut off. */
  requestHeadMs: 10 * SECOND,
  requestMs: 30 * SECOND,
  /** The head of a request: its target and all of its headers. */
  requestHeadBytes: 16 * KIB,
  /** Between two looks at whether the certificate's files have changed. */
  certificateLookMs: 2 * SECOND,
  /** Between two looks at the event loop, the disk and the descriptors, for what the console should warn of. */
  vitalsMs: 10 * SECOND,
  /** A client frame must be smaller than this. */
  messageBytes: 16 * MIB,
  /** The same of one who only looks: nothing that they may ask needs more. */
  messageBytesOfObserver: 256 * KIB,
  /** Values in one message: parts of lists and objects, and these themselves. */
  messageValues: 100_000,
  /** From the first byte of a message to its last; looked at every `pingMs`. */
  messageMs: 5 * 60 * SECOND,
  /** Requests of one connection that are being worked on, and about their bytes; one more closes it. */
  pendingRequests: 5000,
  pendingBytes: 128 * MIB,
  /** What is worked on for one connection before others have their turn. */
  inboundTurnMs: 2,
  /** What one turn of a connection sends at the most before other connections have theirs. */
  turnBytes: 256 * KIB,
  /** Unsent bytes of a connection: above it no more events are pulled for it. */
  socketHighWaterBytes: 256 * KIB,
  /**
   * On their way to a peer and not read yet: what it reads in this time beyond the way itself, within these bounds; what is
   * bulk waits for that. A process that had no more output than so much since the last round is not bulk.
   */
  windowDelayMs: 5,
  windowLeastBytes: 64 * KIB,
  windowMostBytes: 4 * MIB,
  windowPassingBytes: 4 * KIB,
  /** So long nothing is read, or no ping answered: then the window does not count until one is. */
  windowSilenceMs: 2 * SECOND,
  /** How long the way is taken to be what it was at its shortest. */
  windowWayMs: 10 * SECOND,
  /** Unsent bytes of a connection at which it is given up: it asks for replies and does not read them. One has room. */
  socketLimitBytes: 192 * MIB,
  /** Both of all connections, and what has come of messages that are not whole: above it the one that has most of it is given up. */
  backlogBytes: 512 * MIB,
  /** After the end of what a peer on stdio asks: for its last replies to be made, and then to be taken. */
  lastRepliesMs: 1 * SECOND,
  pingMs: 10 * SECOND,
  /** Silence after which a peer is gone, while nothing waits to be sent … */
  silentMs: 25 * SECOND,
  /**
   * … and while something does: a stopped reader is not a dead one. What the kernel has taken does not count: the session of
   * an agent that comes back on a new connection must be free before it gives up, which it does after 45 s.
   */
  stalledMs: 90 * SECOND,
  /** Between a start, exit or change of control and the `console/changed` that tells it. */
  changedSoonMs: 50,
  /** The same for what only prints … */
  changedLaterMs: 1 * SECOND,
  /** … and of how many at once: what is in sight first, and of the rest what waits longest. */
  printedAtOnce: 100,
  /** What happened, kept for who was away: so many entries, the newest. */
  activities: 10_000,
  /** Bells and notifications of one process among them: so many in a row, and then one in each such time. */
  attentionBurst: 5,
  attentionMs: 10 * SECOND,
  /**
   * A file of the audit is put aside at so many bytes, and so many are kept; the newest entries are in memory, too. All of
   * it twice: of what was done, and of visits.
   */
  auditBytes: 16 * MIB,
  auditFiles: 4,
  auditEntries: 10_000,
  /** About what these take in memory, of all and of one token: beyond, the oldest is in the files only. */
  auditKeptBytes: 32 * MIB,
  auditKeptBytesPerToken: 16 * MIB,
  /** What one connection types into one process within this time is one entry. */
  auditInputMs: 10 * SECOND,
  /** Entries in a minute of what one can repeat without end; of one who only looks, or all of one share, of all. */
  auditPerMinute: 300,
  /** Requests of one, or of all of one share, that are refused in a minute before the connections that go on are closed. */
  refusalsPerMinute: 1000,
  /** The shared watchers' turn: not more often than this … */
  watchersTurnMs: 33,
  /** … and not more than this share of the time; and than the second while the event loop has none left. */
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
   * Live processes in all, and of one session. Of these, and of all else that everybody needs, one token has half at the
   * most, and a tenth is left to operators and admins; see `kept/budget.ts`.
   */
  processes: 1000,
  processesPerSession: 500,
  /** What all live processes together may keep: a start finds its `retainedBytes` among it, or is refused. */
  liveBytes: 1024 * MIB,
  /** Of a command line, as JSON, what is shown and kept. */
  shownCommandChars: 32 * KIB,
  /** Processes that one connection follows by key. */
  attachments: 2000,
  /** Searches of one connection that wait for their turn or have it. */
  searches: 16,
  /** While nothing can be started for want of descriptors, terminals, memory …: between two tries. */
  startAgainMs: 2 * SECOND,
  /** What a command line and its environment may have in all, and each argument; about what the kernel takes. */
  commandBytes: 2 * MIB,
  argumentBytes: 128 * KIB,
  /** A tenth of a second at the worst; ten patterns and a hundred variables are a hundredth of it. */
  policySteps: 32 * MIB,
  /** Sessions, the detached ones included. */
  sessions: 10_000,
  /** Detached ones of one token that have no process; as many as may have been cut off at once. */
  emptySessionsPerToken: 200,
  /** Open connections of one token. */
  connectionsPerToken: 200,
  /** The same of one who came by a share: one link may bring fifty of them. */
  connectionsPerGuest: 10,
  /** Sockets that have not proved anything; for one more the oldest is dropped. */
  unprovenSockets: 256,
  /** Requests that one socket may send before the first of them is answered; browsers and proxies send one at a time. */
  pipelinedRequests: 16,
  /** Descriptors that the gateway needs for itself; the others are divided. */
  ownDescriptors: 64,
  /** How processes were started, so that they can be restarted, in all and of one token; the oldest are forgotten first. */
  restartBytes: 16 * MIB,
  restartBytesPerToken: 8 * MIB,
  /** Lines that a search through all outputs gives, in all and of each process. */
  searchHits: 500,
  searchHitsPerProcess: 50,
  /** What a search may take for the output of one process. */
  searchMs: 2 * SECOND,
  /** And for all of them: the next search waits for it. */
  searchAllMs: 20 * SECOND,
  /** An answer to http/request that is given whole, a part of one that is streamed, and how many are under way. */
  httpBodyBytes: 32 * MIB,
  httpDeltaBytes: 64 * KIB,
  httpRequests: 64,
  /** The same of all connections, and the bytes of bodies that are sent and of answers that are given whole. */
  httpRequestsInAll: 512,
  httpBytesInAll: 512 * MIB,
  /** Requests about files that are worked on at once, and of one token; operators and admins have one more. */
  fileTurns: 8,
  fileTurnsPerToken: 4,
  /** Files that are open in helper processes of their own, as those in a sandbox are. */
  fileHelpers: 128,
  /** What fs/readFile gives in one reply; larger files are read by blocks. */
  fileReadBytes: 128 * MIB,
  /** The most that one fs/readBlock or fs/writeBlock carries; as in the reference. */
  fileBlockBytes: 1 * MIB,
  /** Files that one connection may have open, and the length of its names for them; as in the reference. */
  fileHandles: 128,
  fileHandleIdBytes: 32,
  /** What one fs/walk may ask for; as in the reference. */
  walkDepth: 64,
  walkDirectories: 10_000,
  walkEntries: 50_000,
  /** What the names of one fs/readDirectory, or the paths of one fs/walk, may have; such a walk is truncated there. */
  listingChars: 64 * MIB,
  /** Paths of one fs/watchMissing, and how often they are looked at. */
  watchedPaths: 256,
  watchedChars: 64 * KIB,
  watchMs: 500,
  /** Between two pictures of one process, for who looks at many; … */
  tileMs: 1 * SECOND,
  /** … or so long, when somebody begins to look. */
  tileSoonMs: 250,
  /** Pictures made within this time are told together. */
  tilesTogetherMs: 30,
  /** Between two looks at what processes use, and at the ports they listen on, while somebody wants to know. */
  usageMs: 1 * SECOND,
  portsMs: 4 * SECOND,
  /** Lines above the screen that are kept of each terminal that has outgrown its log. */
  screenScrollbackLines: 1000,
  /** Of those, so many are kept as terminals, the others as snapshots of themselves … */
  screensReady: 64,
  /** … of so many bytes in all; the oldest are forgotten then. */
  screensStoredBytes: 64 * MIB,
  /** A terminal is said to wait for input when it has been quiet for so long; see `waiting/`. */
  waitingQuietMs: 3 * SECOND,
  waitingLookMs: SECOND,
  waitingAgainMs: 5 * SECOND,
  /** Output of one terminal that its screen has been given and has not drawn. */
  screenUndrawnBytes: 512 * KIB,
  /** Beyond what its log retains, so much waits for a terminal to be quiet enough to be drawn; and of all together. */
  screenHeldBytes: 2 * MIB,
  screensHeldBytes: 16 * MIB,
  screenLookMs: 200,
  /** Who prints more is a flood, and not drawn before that is over; of what is drawn, so much at once after a quiet. */
  screenBytesPerSecond: 1 * MIB,
  screenBurstBytes: 2 * MIB,
  /** The same of all floods together. */
  screensBytesPerSecond: 12 * MIB,
  screensBurstBytes: 4 * MIB,
  /** Requests of agents that wait for a person, in all; and those that are over and still told of. */
  approvalsWaiting: 10_000,
  approvalsOver: 1000,
  /** Time until a waiting request expires; 0: never. */
  approvalTimeoutMs: 0,
  /** On SIGTERM: from SIGTERM to SIGKILL for the gateway's own processes. */
  shutdownGraceMs: 3 * SECOND,
  /** A printed link's code. */
  codeTtlMs: 10 * 60 * SECOND,
  /** The page's credential. */
  pageTokenTtlMs: 30 * 24 * 60 * 60 * SECOND,
  /** The token in the printed one-liner for agents; a new one at each start. */
  agentTokenTtlMs: 90 * 24 * 60 * 60 * SECOND,
} as const;

export type Limits = { readonly [name in keyof typeof DEFAULT_LIMITS]: number };

/** What a gateway needs to know before it starts; made from argv by `cli/options.ts`, by hand in tests. */
export interface Config {
  readonly version: string;
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Whether a busy port was asked for (an error) or is only the default (the next free one will do). */
  readonly portIsFixed: boolean;
  /** Absolute. Tokens as hashes, the address of the running gateway; 0700. */
  readonly stateDir: string;
  /** A file whose content is accepted as an operator's bearer token; made if missing. */
  readonly tokenFile: string | null;
  /** Where a trusted reverse proxy shows the page, if one does. */
  readonly publicUrl: PublicUrl | null;
  /** With them, TLS is all that is spoken. */
  readonly tls: CertificateFiles | null;
  /** Beside this machine the only ones that are served, if there are any. */
  readonly trustedProxies: readonly AddressRange[];
  /** The weakest sandbox that applies to whatever is started. */
  readonly sandbox: Floor;
  /** Folders that the floor `workspace-write` lets be written to; none: each request names its own. */
  readonly workspaces: readonly string[];
  /** The policy for the commands of agents. */
  readonly approvals: ApprovalPolicy;
  /** Files and folders of rules beside those of the state folder. */
  readonly ruleFiles: readonly string[];
  /** A line for the shell, run for each request that nobody sees; null for none. */
  readonly onWaiting: string | null;
  /** As whom children run and files are worked on; null: as the gateway itself. */
  readonly user: User | null;
  /** The built page. */
  readonly pageDir: string;
  readonly limits: Limits;
}
