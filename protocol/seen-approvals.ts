// Members of approvals visible to observers; guests see none.
import type {
  Approval,
  ApprovalSettings,
  ApprovalsResult,
  ChangedVariable,
  Pause,
  ProgramFile,
} from './approvals.ts';
import type { CheckedPart, MatchedRule } from './rules.ts';
import { by, masked, each, only, orNull, shown, type Seen } from './seen.ts';

const coveredWords: Seen<readonly string[]> = by<readonly string[]>(
  (words, eyes) => words.map((word) => eyes.masked(word)),
  () => [],
);

const RULE = only<MatchedRule>({
  rule: masked,
  file: masked,
  line: shown,
  decision: shown,
  justification: masked,
});

const APPROVAL = only<Approval>({
  id: shown,
  state: shown,
  kind: shown,
  method: shown,
  argv: by<readonly string[]>(
    (argv, eyes) => eyes.maskedCommand(argv),
    () => [],
  ),
  isWhole: shown,
  arg0: masked,
  cwd: masked,
  tty: shown,
  pipeStdin: shown,
  sandboxed: shown,
  startedBy: shown,
  clientName: masked,
  session: shown,
  processId: masked,
  metadata: by<Approval['metadata']>(
    (metadata, eyes) =>
      Object.fromEntries(
        Object.entries(metadata).map(([name, value]) => [eyes.masked(name), eyes.masked(value)]),
      ),
    () => ({}),
  ),
  key: shown,
  // Text typed into a program may be a password.
  input: by<string | null>(
    () => null,
    () => null,
  ),
  details: by<string | null>(
    (details, eyes) => details && eyes.masked(details),
    () => null,
  ),
  reason: masked,
  rule: orNull(RULE),
  proposedRules: coveredWords,
  parts: each(only<CheckedPart>({ words: coveredWords, decision: shown })),
  complex: masked,
  variables: each(
    only<ChangedVariable>({
      name: masked,
      value: by<string | null>(
        () => null,
        () => null,
      ),
    }),
  ),
  moreVariables: shown,
  branch: masked,
  program: orNull(only<ProgramFile>({ path: masked, bytes: shown, modifiedAtMs: shown, sha256: shown })),
  folder: masked,
  pause: shown,
  hasGoneOn: shown,
  createdAtMs: shown,
  decision: shown,
  decidedBy: shown,
  decidedAtMs: shown,
  message: masked,
});

const PAUSE = only<Pause>({
  id: shown,
  agent: masked,
  session: shown,
  thread: masked,
  why: shown,
  by: shown,
  atMs: shown,
});

export const APPROVAL_SETTINGS = only<ApprovalSettings>({
  policy: shown,
  startedWith: shown,
  agents: each(only<ApprovalSettings['agents'][number]>({ agent: masked, policy: shown })),
  pauses: each(PAUSE),
  tightened: masked,
  forbids: shown,
});

export const APPROVALS = by<readonly Approval[]>(each(APPROVAL).observer, () => []);

export const APPROVALS_RESULT = only<ApprovalsResult>({
  approvals: APPROVALS,
  settings: APPROVAL_SETTINGS,
});
