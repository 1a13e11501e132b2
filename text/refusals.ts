// Texts of refusals by a person or by a rule. The gateway writes them, and recognizes them in its answers to agents.

/** Returns the refusal of a request that a person has declined or aborted; `message`: their own words, which may be blank. */
export const refusalByPerson = (act: 'declined' | 'aborted', name: string, message: string): string =>
  `${act} by ${name}${message.trim() === '' ? '' : `: ${message}`}`;

/** Returns the refusal of a command that a rule forbids, or may forbid if `isCertain` is false. */
export const refusalByRule = (rule: string, isCertain: boolean, why: string | null): string =>
  `${isCertain ? '' : 'the command may run what '}the rule ${rule} forbids${why === null ? '' : `: ${why}`}`;

export const isByPerson = (refusal: string): boolean => /^(?:declined|aborted) by /.test(refusal);
export const isByRule = (refusal: string): boolean =>
  /^(?:the command may run what )?the rule [\s\S]* forbids/.test(refusal);
