// environmentConfig/read: the parts of the agent's own configuration that lie on this machine.
import { z } from 'zod';
import { fileUri } from './scalars.ts';

const tomlPath = z.array(z.string()).min(1, 'must name at least one key');

export const environmentConfigReadParams = z
  .object({ cwd: fileUri, configPaths: z.array(tomlPath), requirementsPaths: z.array(tomlPath) })
  .refine(
    ({ configPaths, requirementsPaths }) => configPaths.length + requirementsPaths.length > 0,
    'at least one path in configPaths or requirementsPaths is needed',
  );

/** One file's part of it. */
export interface ConfigLayer {
  /** Origin of the layer, as `user (PATH)` or `project (PATH)`. */
  readonly source: string;
  /** A file URI: the folder that relative paths in it refer to. */
  readonly baseDir: string;
  /** The requested keys only. */
  readonly toml: string;
}

interface ConfigLayers {
  /** The most general first: later ones override. */
  readonly layers: readonly ConfigLayer[];
  readonly cloudInsertionIndex: number;
}

export interface EnvironmentConfig {
  /** File URIs. */
  readonly userHomeDir: string;
  readonly codexHomeDir: string;
  readonly hostname: string;
  readonly config: ConfigLayers;
  readonly requirements: ConfigLayers;
}
