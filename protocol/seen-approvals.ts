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
import { by, covered, each, only, orNull, shown, type Seen } from './seen.ts';

const coveredWords: Seen<readonly string[]> = by<readonly string[]>(
  (words, eyes) => words.map((word) => eyes.covered(word)),
  () => [],
);

const RULE = only<MatchedRule>({
  rule: covered,
  file: covered,
  line: shown,
  decision: shown,
  justification: covered,
});

const APPROVAL = only<Approval>({
  id: shown,
  state: shown,
  kind: shown,
  method: shown,
  argv: by<readonly string[]>(
    (argv, eyes) => eyes.coveredCommand(argv),
    () => [],
  ),
  isWhole: shown,
  arg0: covered,
  cwd: covered,
  tty: shown,
  pipeStdin: shown,
  sandboxed: shown,
  startedBy: shown,
  clientName: covered,
  session: shown,
  processId: covered,
  metadata: by<Approval['metadata']>(
    (metadata, eyes) =>
      Object.fromEntries(
        Object.entries(metadata).map(([name, value]) => [eyes.covered(name), eyes.covered(value)]),
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
    (details, eyes) => details && eyes.covered(details),
    () => null,
  ),
  reason: covered,
  rule: orNull(RULE),
  proposedRules: coveredWords,
  parts: each(only<CheckedPart>({ words: coveredWords, decision: shown })),
  complex: covered,
  variables: each(
    only<ChangedVariable>({
      name: shown,
      value: by<string | null>(
        () => null,
        () => null,
      ),
    }),
  ),
  branch: covered,
  program: orNull(only<ProgramFile>({ path: covered, bytes: shown, modifiedAtMs: shown, sha256: shown })),
  pause: shown,
  hasGoneOn: shown,
  createdAtMs: shown,
  decision: shown,
  decidedBy: shown,
  decidedAtMs: shown,
  message: covered,
});

const PAUSE = only<Pause>({
  id: shown,
  agent: shown,
  session: shown,
  thread: covered,
  why: shown,
  by: shown,
  atMs: shown,
});

export const APPROVAL_SETTINGS = only<ApprovalSettings>({
  policy: shown,
  startedWith: shown,
  agents: each(only<ApprovalSettings['agents'][number]>({ agent: shown, policy: shown })),
  pauses: each(PAUSE),
  tightened: covered,
  forbids: shown,
});

export const APPROVALS = by<readonly Approval[]>(each(APPROVAL).observer, () => []);

export const APPROVALS_RESULT = only<ApprovalsResult>({
  approvals: APPROVALS,
  settings: APPROVAL_SETTINGS,
});
