// Collects information about this machine for clients.
import { createHash } from 'node:crypto';
import { homedir, hostname, platform, tmpdir } from 'node:os';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loginShell } from '../host/account.ts';
import type { User } from '../host/user.ts';
import type { EnvironmentInfo } from '../../protocol/session.ts';

/** Capabilities that the reference server reports; true for those that this gateway has. */
const CAPABILITIES = {
  networkProxyLaunch: false,
  networkProxyReviewDomains: false,
  credentialMasking: false,
  credentialMaskingCustomProviders: false,
  capabilityDiscoverySandbox: false,
  fsWatchMissing: true,
  capabilityDiscoveryV2: false,
  environmentConfigRead: true,
  httpHeaderEnvVars: false,
  sandboxedFileStreaming: false,
  fileWriteStreaming: true,
  shellSnapshotV2: false,
  windowsMxc: false,
  linuxRootWritePreservesDevices: false,
  linuxApprovedRootWritePreservesRestrictions: false,
};

const PLATFORM: { readonly [name: string]: string } = { darwin: 'macos', win32: 'windows' };

/** Returns information about this machine, with the home and the shell of the children's user. */
export function environmentInfo(version: string, user: User | null): EnvironmentInfo {
  const shell = user?.shell ?? (process.env['SHELL'] || loginShell());
  return {
    shell: { name: basename(shell), path: shell },
    executorVersion: version,
    providerId: `sha256:${createHash('sha256').update(`${hostname()}\0${homedir()}`).digest('hex')}`,
    cwd: uri(user?.home ?? process.cwd()),
    userHomeDir: uri(user?.home ?? homedir()),
    platformOs: PLATFORM[platform()] ?? platform(),
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: uri(tmpdir()),
    // Missing files are watched by the gateway itself, which may see more than another user.
    capabilities: { ...CAPABILITIES, fsWatchMissing: user === null },
  };
}

const uri = (path: string): string => pathToFileURL(path).href;
