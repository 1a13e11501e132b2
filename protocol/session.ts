// initialize and environment/*: who is talking, and what this machine is.
import { z } from 'zod';
import type { ROLES } from './console-constants.ts';
import { name } from './scalars.ts';

export const PROTOCOL_VERSION = 'exec-server.v0';

export const initializeParams = z.object({ clientName: name, resumeSessionId: z.string().nullish() });

/** Capabilities of the machine; each is false until its method works. */
interface Capabilities {
  readonly [name: string]: boolean;
}

export interface EnvironmentInfo {
  readonly shell: { readonly name: string; readonly path: string };
  readonly executorVersion: string;
  readonly providerId: string;
  /** All folders are file URIs. */
  readonly cwd: string;
  readonly userHomeDir: string;
  readonly platformOs: string;
  readonly prependPathDirs: readonly string[];
  readonly temporaryDirectories: readonly string[];
  readonly tempDir: string;
  readonly capabilities: Capabilities;
}

/** The reference's result, and `console`, which lists for our clients the other available requests. */
export interface InitializeResult {
  /** A secret: a caller that has it, and the identity that created the session, can resume the session. */
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
  /** Share of a guest: the key that it shows (null = all processes), and its expiry. */
  readonly share: { readonly key: string | null; readonly expiresAtMs: number } | null;
}

export interface EnvironmentStatus {
  readonly status: 'ready';
}
