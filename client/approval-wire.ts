// Validates approvals received from the gateway.
import type { Approval, ApprovalSettings, ProgramFile } from '../protocol/approvals.ts';
import { APPROVAL_POLICIES } from '../protocol/console-constants.ts';

type Members = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const TEXTS = ['id', 'state', 'kind', 'method', 'cwd', 'startedBy', 'clientName', 'session', 'reason'];

const isApproval = (value: unknown): value is Approval =>
  isObject(value) &&
  TEXTS.every((name) => typeof value[name] === 'string') &&
  areTexts(value['argv']) &&
  areTexts(value['proposedRules']) &&
  isObject(value['metadata']) &&
  Array.isArray(value['parts']) &&
  Array.isArray(value['variables']) &&
  typeof value['createdAtMs'] === 'number';

/** Sets facts that are missing, as from older gateways, or malformed: `moreVariables` to 0, the others to null. */
const withFacts = (approval: Approval): Approval => {
  const { moreVariables, branch, program, folder }: Members = { ...approval };
  return {
    ...approval,
    moreVariables: typeof moreVariables === 'number' ? moreVariables : 0,
    branch: typeof branch === 'string' ? branch : null,
    program: isProgram(program) ? program : null,
    folder: typeof folder === 'string' ? folder : null,
  };
};

const isProgram = (value: unknown): value is ProgramFile =>
  isObject(value) &&
  typeof value['path'] === 'string' &&
  typeof value['bytes'] === 'number' &&
  typeof value['modifiedAtMs'] === 'number' &&
  (value['sha256'] === null || typeof value['sha256'] === 'string');

const isSettings = (value: unknown): value is ApprovalSettings =>
  isObject(value) &&
  APPROVAL_POLICIES.some((policy) => policy === value['policy']) &&
  Array.isArray(value['agents']) &&
  Array.isArray(value['pauses']);

/**
 * Returns the valid approvals and the approval settings in a `console/watch` result or a `console/changed`; a missing
 * or malformed member is left out.
 */
export function readApprovals(params: Members): {
  readonly approvals?: readonly Approval[];
  readonly approvalSettings?: ApprovalSettings;
} {
  const { approvals, approvalSettings } = params;
  return {
    ...(Array.isArray(approvals) && { approvals: approvals.filter(isApproval).map(withFacts) }),
    ...(isSettings(approvalSettings) && { approvalSettings }),
  };
}
