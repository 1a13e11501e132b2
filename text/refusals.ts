// Texts of refusals by a person or by a rule. The gateway writes them, and recognizes them in its answers to agents.

/** Returns the refusal of a request that a person has declined or aborted; `message`: their own words, which may be blank. */
export const refusalByPerson = (act: 'declined' | 'aborted', name: string, message: string): string =>
  `${act} by ${name}${message.trim() === '' ? '' : `: ${message}`}`;

/** Returns the refusal of a command that a rule forbids, or may forbid if `isCertain` is false. */
export const refusalByRule = (rule: string, isCertain: boolean, why: string | null): string =>
  `${isCertain ? '' : 'the command may run what '}the rule ${rule} forbids${why === null ? '' : `: ${why}`}`;

/** Returns the refusal of a waiting request by a rule that applies since `by` changed a rule or the policy. */
export const refusalAfterChange = (by: string, why: string): string =>
  `refused after ${by} changed a rule or the policy: ${why}`;

export const isByPerson = (refusal: string): boolean => /^(?:declined|aborted) by /.test(refusal);
export const isByRule = (refusal: string): boolean =>
  /^(?:refused after [\s\S]* changed a rule or the policy: )?(?:the command may run what )?the rule [\s\S]* forbids/.test(
    refusal,
  );
