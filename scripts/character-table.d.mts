/** The text of text/character-table.ts, from the Unicode data that is installed. */
export function characterTable(): Promise<string>;
