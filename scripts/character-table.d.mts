/** The text of text/character-table.ts, by the installed Unicode data. */
export function characterTable(): Promise<string>;
