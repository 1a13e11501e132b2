// Approval requests of a test's gateway: pending ones, and the page's decisions.
import type { Approval, ApprovalSettings } from '../../protocol/approvals.ts';
import type { PageGateway } from './page-gateway.ts';

const SETTINGS: ApprovalSettings = {
  policy: 'always',
  startedWith: 'never',
  agents: [],
  pauses: [],
  tightened: null,
  forbids: false,
};

/** Returns a waiting request with this number. */
export const approvalOf = (number: number, facts: Partial<Approval> = {}): Approval => ({
  id: `a-${number}`,
  state: 'waiting',
  kind: 'start',
  method: 'process/start',
  argv: ['make'],
  isWhole: true,
  arg0: null,
  cwd: '/srv/shop',
  tty: false,
  pipeStdin: false,
  sandboxed: false,
  startedBy: 'bot',
  clientName: 'codex',
  session: 's1',
  processId: `p${number}`,
  metadata: {},
  key: null,
  input: null,
  details: null,
  reason: 'no rule allows it',
  rule: null,
  proposedRules: [],
  parts: [],
  complex: null,
  variables: [],
  moreVariables: 0,
  branch: null,
  program: null,
  folder: null,
  pause: null,
  hasGoneOn: false,
  createdAtMs: 1_000_000 + number,
  decision: null,
  decidedBy: null,
  decidedAtMs: null,
  message: null,
  ...facts,
});

export class PageApprovals {
  readonly #gateway: PageGateway;
  readonly #all = new Map<string, Approval>();
  /** Params of each decision made by the page. */
  readonly decisions: Readonly<Record<string, unknown>>[] = [];
  settings = SETTINGS;

  constructor(gateway: PageGateway) {
    this.#gateway = gateway;
    const { watched } = gateway.fake;
    gateway.fake.watched = () => ({
      ...watched(),
      approvals: this.#waiting(),
      approvalSettings: this.settings,
    });
    gateway.answer('console/approvals', ({ id }) => ({
      approvals: [...this.#all.values()].filter((each) => each.id === id),
      settings: this.settings,
    }));
    gateway.answer('console/decide', (params) => {
      this.decisions.push(params);
      const { id, decision } = params;
      const approval = this.#all.get(String(id));
      if (!approval) return new Error('no such request');
      if (approval.state !== 'waiting') return new Error(`${approval.decidedBy} has already decided`);
      const message = typeof params['message'] === 'string' ? params['message'] : null;
      return { approval: this.decided(approval.id, { decision: decision as Approval['decision'], message }) };
    });
  }

  /** Creates an agent's request and notifies the page. */
  ask(facts: Partial<Approval> = {}): Approval {
    const number = this.#all.size + 1;
    const approval = approvalOf(number, facts);
    this.#report(approval);
    return approval;
  }

  /** Ends a request: decided by a person, or no longer needed. */
  decided(id: string, facts: Partial<Approval>): Approval {
    const approval = this.#all.get(id);
    if (!approval) throw new Error(`no request ${id}`);
    const over: Approval = {
      ...approval,
      state: facts.decision === 'decline' ? 'declined' : 'accepted',
      decidedBy: 'page',
      decidedAtMs: 1,
      ...facts,
    };
    this.#report(over);
    return over;
  }

  set(settings: Partial<ApprovalSettings>): void {
    this.settings = { ...this.settings, ...settings };
    this.#gateway.fake.notifyAll({ approvalSettings: this.settings });
  }

  #waiting(): readonly Approval[] {
    return [...this.#all.values()].filter(({ state }) => state === 'waiting');
  }

  #report(approval: Approval): void {
    this.#all.set(approval.id, approval);
    this.#gateway.fake.notifyAll({ approvals: [approval] });
  }
}
