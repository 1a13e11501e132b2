// The border for approvals: what the gateway says of them, checked before it is believed.
import type { Approval, ApprovalSettings } from '../protocol/approvals.ts';
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

const isSettings = (value: unknown): value is ApprovalSettings =>
  isObject(value) &&
  APPROVAL_POLICIES.some((policy) => policy === value['policy']) &&
  Array.isArray(value['agents']) &&
  Array.isArray(value['pauses']);

/** Approvals in a `console/watch` result or a `console/changed`; a missing or malformed member is left out. */
export function readApprovals(params: Members): {
  readonly approvals?: readonly Approval[];
  readonly approvalSettings?: ApprovalSettings;
} {
  const { approvals, approvalSettings } = params;
  return {
    ...(Array.isArray(approvals) && { approvals: approvals.filter(isApproval) }),
    ...(isSettings(approvalSettings) && { approvalSettings }),
  };
}
