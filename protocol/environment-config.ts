// environmentConfig/read: parts of the agent's configuration on the gateway's machine.
import { z } from 'zod';
import { fileUri } from './scalars.ts';

const tomlPath = z.array(z.string()).min(1, 'must name at least one key');

export const environmentConfigReadParams = z
  .object({ cwd: fileUri, configPaths: z.array(tomlPath), requirementsPaths: z.array(tomlPath) })
  .refine(
    ({ configPaths, requirementsPaths }) => configPaths.length + requirementsPaths.length > 0,
    'at least one path in configPaths or requirementsPaths is needed',
  );

/** The part of the configuration that comes from one file. */
export interface ConfigLayer {
  /** Origin of the layer, such as `user (PATH)` or `project (PATH)`. */
  readonly source: string;
  /** File URI of the folder that relative paths refer to. */
  readonly baseDir: string;
  /** TOML text with the requested keys only. */
  readonly toml: string;
}

interface ConfigLayers {
  /** Most general first; later layers override earlier ones. */
  readonly layers: readonly ConfigLayer[];
  readonly cloudInsertionIndex: number;
}

export interface EnvironmentConfig {
  /** File URI. */
  readonly userHomeDir: string;
  readonly codexHomeDir: string;
  readonly hostname: string;
  readonly config: ConfigLayers;
  readonly requirements: ConfigLayers;
}
