// Folders that mutation testing covers, each with the tests that must detect its mutants.

export interface Folder {
  readonly name: string;
  /** Patterns of the files to mutate; a later one beginning with `!` excludes files. */
  readonly mutated: readonly string[];
  /** Folders or files of unit tests; integration tests would run for days. */
  readonly tests: readonly string[];
}

const own = (folder: string): Folder => ({
  name: folder,
  mutated: [`${folder}/**/*.ts`],
  tests: [folder],
});

export const FOLDERS: readonly Folder[] = [own('server/policy'), own('server/delivery')];
