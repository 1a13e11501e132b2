// Folders that mutation testing covers, each with the tests that must detect its mutants.

export interface Folder {
  readonly name: string;
  readonly mutated: readonly string[];
  /** Folders or files of unit tests; integration tests would take days. */
  readonly tests: readonly string[];
}

const own = (name: string): Folder => ({ name, mutated: [`${name}/**/*.ts`], tests: [name] });

export const FOLDERS: readonly Folder[] = [own('server/delivery'), own('server/sessions')];
