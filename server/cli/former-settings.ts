// Copies of agents' settings from before they were connected, with which `connect --undo` restores them exactly.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openStateDir, writePrivateFile } from '../policy/state-dir.ts';
import { readText } from '../policy/token-records.ts';
import type { SettingsFile } from './settings-file.ts';

/** Subfolder of the state folder. */
const FOLDER = 'connected';

const former = z.object({
  path: z.string(),
  /** Null for a file that did not exist. */
  before: z.string().nullable(),
  mode: z.number().nullable().default(null),
});

export type Former = z.infer<typeof former>;

/** The copy for one agent, of the file that was connected last. */
export class FormerSettings {
  readonly #stateDir: string;
  readonly #place: string;

  constructor(stateDir: string, agent: string) {
    this.#stateDir = stateDir;
    this.#place = join(stateDir, FOLDER, `${agent}.json`);
  }

  /** Null when no file was connected. */
  get last(): Former | null {
    const text = readText(this.#place);
    return text === null ? null : former.parse(JSON.parse(text));
  }

  /** Stores the file; returns a function that restores the earlier copy. */
  keep(path: string, file: SettingsFile | null): () => void {
    const earlier = readText(this.#place);
    mkdirSync(join(openStateDir(this.#stateDir), FOLDER), { recursive: true, mode: 0o700 });
    const kept: Former = { path, before: file?.text ?? null, mode: file?.mode ?? null };
    writePrivateFile(this.#place, `${JSON.stringify(kept)}\n`);
    return () => {
      if (earlier === null) rmSync(this.#place, { force: true });
      else writePrivateFile(this.#place, earlier);
    };
  }
}
