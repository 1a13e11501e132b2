/** Resolves with the text of text/character-table.ts, generated from the installed Unicode data. */
export function characterTable(): Promise<string>;
