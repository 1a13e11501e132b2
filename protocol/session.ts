// initialize and environment/*: the client's identity and the machine's environment.
import { z } from 'zod';
import type { ROLES } from './console-constants.ts';
import { name } from './scalars.ts';

export const PROTOCOL_VERSION = 'exec-server.v0';

export const initializeParams = z.object({ clientName: name, resumeSessionId: z.string().nullish() });

/** Capabilities of the reference server; true for those that this gateway has. */
interface Capabilities {
  readonly [name: string]: boolean;
}

export interface EnvironmentInfo {
  readonly shell: { readonly name: string; readonly path: string };
  readonly executorVersion: string;
  readonly providerId: string;
  /** File URI, like all folders here. */
  readonly cwd: string;
  readonly userHomeDir: string;
  readonly platformOs: string;
  readonly prependPathDirs: readonly string[];
  readonly temporaryDirectories: readonly string[];
  readonly tempDir: string;
  readonly capabilities: Capabilities;
}

/** Result of the reference, extended by `console`: facts and features for exec-console's own clients. */
export interface InitializeResult {
  /** Secret that resumes the session, but only for the identity that created the session. */
  readonly sessionId: string;
  readonly environmentInfo: EnvironmentInfo;
  readonly protocolVersion: typeof PROTOCOL_VERSION;
  readonly console: ConsoleInfo;
}

export type Role = (typeof ROLES)[number];

export interface ConsoleInfo {
  readonly version: string;
  /** Public label of this connection, as in `ProcessInfo.controller`. */
  readonly connection: string;
  /** Public label of this session, as in `SessionInfo.label`. */
  readonly session: string;
  readonly role: Role;
  readonly features: readonly string[];
  /** A guest's share: key of the shared process (null = all) and expiry; null for others. */
  readonly share: { readonly key: string | null; readonly expiresAtMs: number } | null;
}

export interface EnvironmentStatus {
  readonly status: 'ready';
}
