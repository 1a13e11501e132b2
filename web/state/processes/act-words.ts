// Actions in the audit log in words; hidden characters in names, paths and commands are made visible.
import type { AuditEntry } from '../../../protocol/audit.ts';
import { isSignalName, SIGNALS } from '../../../protocol/signals.ts';
import { capitalized } from '../../../text/capitalized.ts';
import { commandLine } from '../../../text/command-line.ts';
import { bytesText, countedText } from '../../../text/amounts.ts';
import { refusalAfterChange } from '../../../text/refusals.ts';
import { visible } from '../../../text/visible.ts';

type Details = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => {
  if (typeof value === 'string') return visible(value);
  return typeof value === 'number' ? String(value) : '';
};
/** Returns for example `SIGINT`; for an unknown signal, its logged name with hidden characters made visible. */
const signalText = (value: unknown): string =>
  typeof value === 'string' && isSignalName(value) ? SIGNALS[value].osName : text(value);

const argv = ({ argv: given }: Details): readonly string[] =>
  Array.isArray(given) ? given.filter((each): each is string => typeof each === 'string') : [];

interface Words {
  /** Name of the action alone, as an option of the filter. */
  readonly name: string;
  readonly sentence: (details: Details, entry: AuditEntry) => string;
}

const just = (name: string, sentence = name): Words => ({ name, sentence: () => sentence });

const WORDS: { readonly [act: string]: Words } = {
  start: { name: 'started', sentence: (details) => `started ${commandLine(argv(details))}` },
  restart: just('restarted', 'restarted the process'),
  input: {
    name: 'typed',
    sentence: (_, { bytes }) => `typed ${bytesText(bytes ?? 0)}`,
  },
  closeStdin: just('closed stdin'),
  signal: { name: 'sent a signal', sentence: ({ signal }) => `sent ${signalText(signal)}` },
  terminate: {
    name: 'terminated',
    sentence: ({ running }) =>
      running === false
        ? 'tried to terminate the process, but nothing was running'
        : 'terminated the process',
  },
  attach: just('viewed', 'viewed the process'),
  takeControl: {
    name: 'took control',
    sentence: ({ to }) => (to === undefined ? 'took control' : 'gave control to someone else'),
  },
  giveUpControl: just('released control'),
  pin: just('kept running', 'kept the process running beyond its session'),
  unpin: just('let end with its session', 'let the process end with its session'),
  resize: {
    name: 'resized',
    sentence: ({ rows, cols }) => `resized the terminal to ${text(cols)}×${text(rows)}`,
  },
  connected: just('connected'),
  disconnected: just('disconnected'),
  signIn: {
    name: 'signed in',
    sentence: ({ share }) => (share === undefined ? 'signed in with a link' : 'opened a share link'),
  },
  link: {
    name: 'created a link',
    sentence: ({ role, name }) =>
      `created a link for ${name === undefined ? '' : `${text(name)}, `}an ${text(role) || 'operator'}`,
  },
  refused: {
    name: 'was refused',
    sentence: ({ method, reason, path }) =>
      `was refused: ${text(reason) || text(method)}${reason !== undefined && path !== undefined ? `, at ${text(path)}` : ''}`,
  },
  failed: {
    name: 'failed',
    sentence: ({ method, reason }) =>
      `tried ${text(method)}, which failed${reason === undefined ? '' : `: ${text(reason)}`}`,
  },
  tooMany: {
    name: 'took further actions, not logged individually',
    sentence: ({ count }) =>
      typeof count === 'number'
        ? `took ${countedText(count, 'further action')}, not logged individually`
        : 'took further actions, not logged individually',
  },
  createToken: {
    name: 'created a token',
    sentence: ({ name, role }) => `created the token ${text(name)} for an ${text(role)}`,
  },
  revokeToken: { name: 'revoked a token', sentence: ({ id }) => `revoked the token ${text(id)}` },
  share: {
    name: 'shared',
    sentence: (_, { key }) => (key === null ? 'shared the console' : 'shared the process'),
  },
  revokeShare: { name: 'revoked a share', sentence: ({ id }) => `revoked the share ${text(id)}` },
  askApproval: {
    name: 'asked for approval',
    sentence: (details) => `asked for approval of ${commandLine(argv(details)) || text(details['method'])}`,
  },
  approvalOver: {
    name: 'ended without a decision',
    sentence: ({ state, by, reason }) =>
      state === 'declined'
        ? `asked for approval, and was ${refusalAfterChange(text(by), text(reason))}`
        : `asked for approval, which ended without a decision (${text(state)})`,
  },
  approve: { name: 'approved', sentence: (details) => `approved ${commandLine(argv(details))}` },
  decline: { name: 'declined', sentence: (details) => `declined ${commandLine(argv(details))}` },
  abort: { name: 'aborted', sentence: (details) => `aborted ${commandLine(argv(details))}` },
  pause: {
    name: 'paused',
    sentence: ({ agent, session, thread }) => {
      const part = text(thread)
        ? `the thread ${text(thread)}`
        : text(session) && `the session ${text(session)}`;
      return `paused ${[part, text(agent)].filter((each) => each !== '').join(' of ') || 'all agents'}`;
    },
  },
  unpause: just('ended a pause'),
  setPolicy: {
    name: 'set a policy',
    sentence: ({ policy, agent }) =>
      `${policy ? `set the approval policy to ${text(policy)}` : 'reset the approval policy'}${agent === undefined ? '' : ` for ${text(agent)}`}`,
  },
  addRule: just('added a rule'),
  writeRules: just('wrote rules'),
  acceptRules: just('accepted rules'),
  httpRequest: { name: 'sent a request', sentence: ({ method, url }) => `sent ${text(method)} ${text(url)}` },
  writeFile: { name: 'wrote a file', sentence: ({ path }) => `wrote ${text(path)}` },
  createDirectory: { name: 'created a folder', sentence: ({ path }) => `created the folder ${text(path)}` },
  copyFile: { name: 'copied a file', sentence: ({ from, path }) => `copied ${text(from)} to ${text(path)}` },
  removeHistory: {
    name: 'removed recordings',
    sentence: ({ removed }) =>
      typeof removed === 'number' ? `removed ${countedText(removed, 'recording')}` : 'removed recordings',
  },
  removeFile: { name: 'removed a file', sentence: ({ path }) => `removed ${text(path)}` },
};

/** All actions by which the audit log can be filtered. */
export const ACTS: readonly { readonly act: string; readonly name: string }[] = Object.entries(WORDS).map(
  ([act, { name }]) => ({ act, name: capitalized(name) }),
);

/** Returns for example `started npm test`; for an unknown action, its name. */
export function actWords(entry: AuditEntry): string {
  const words = Object.hasOwn(WORDS, entry.act) ? WORDS[entry.act] : undefined;
  return words?.sentence(entry.details ?? {}, entry) ?? visible(entry.act);
}
