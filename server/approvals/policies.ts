// The policy of each agent, from the gateway's flag and from later settings.
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalSettings } from '../../protocol/approvals.ts';
import { APPROVAL_POLICIES } from '../../protocol/console-constants.ts';
import type { ApprovalPolicy } from '../../protocol/rules.ts';
import { policyIn, type ApprovalStore, type StoredApprovals } from '../policy/approval-store.ts';

export class Policies {
  readonly #store: ApprovalStore;
  readonly #startedWith: ApprovalPolicy;

  /** `startedWith`: the policy of the flag; stored policies that are less strict are tightened to it. */
  constructor(store: ApprovalStore, startedWith: ApprovalPolicy) {
    this.#store = store;
    this.#startedWith = startedWith;
    this.restore();
  }

  /** Applies the stored policies, and makes those that are less strict than the flag as strict as it. */
  restore(): void {
    const startedWith = this.#startedWith;
    const { stored } = this.#store;
    const tightened = ({ policy, agents }: StoredApprovals): Partial<StoredApprovals> => ({
      policy: policy && stricter(policy, startedWith),
      agents: Object.fromEntries(
        Object.entries(agents).map(([name, each]) => [name, stricter(each, startedWith)]),
      ),
      // The flag's policy is stored for commands that agents run while no gateway is running.
      startedWith,
    });
    const before = { startedWith: 'never', ...stored };
    if (!isDeepStrictEqual({ ...before, ...tightened(stored) }, before)) this.#store.change(tightened);
  }

  get settings(): Pick<ApprovalSettings, 'policy' | 'startedWith' | 'agents'> {
    const { policy, agents } = this.#store.stored;
    return {
      policy: policy ?? this.#startedWith,
      startedWith: this.#startedWith,
      agents: Object.entries(agents).map(([agent, each]) => ({ agent, policy: each })),
    };
  }

  /** True when the policy of every agent is `never`. */
  get areNever(): boolean {
    const { policy, agents } = this.settings;
    return policy === 'never' && agents.every((each) => each.policy === 'never');
  }

  of(agent: string): ApprovalPolicy {
    return policyIn(this.#store.stored, agent, this.#startedWith);
  }

  /**
   * Sets the policy of one agent, or without `agent` that of all agents without a separate policy. Null restores the
   * default: for one agent, the policy of all agents; for all agents, that of the flag.
   */
  set(policy: ApprovalPolicy | null, agent: string | undefined): void {
    if (agent === undefined) {
      this.#store.change(() => ({ policy }));
      return;
    }
    this.#store.change(({ agents }) => {
      const others = Object.fromEntries(Object.entries(agents).filter(([name]) => name !== agent));
      return { agents: policy === null ? others : { ...others, [agent]: policy } };
    });
  }
}

const stricter = (one: ApprovalPolicy, other: ApprovalPolicy): ApprovalPolicy =>
  APPROVAL_POLICIES.indexOf(one) < APPROVAL_POLICIES.indexOf(other) ? other : one;
