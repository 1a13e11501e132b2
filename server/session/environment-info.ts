// What this machine tells its clients about itself.
import { createHash } from 'node:crypto';
import { homedir, hostname, platform, tmpdir, userInfo } from 'node:os';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EnvironmentInfo } from '../protocol/session.ts';

/** The reference's capabilities: true here means that the method works here. */
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

export function environmentInfo(version: string): EnvironmentInfo {
  const shell = process.env['SHELL'] || userInfo().shell || '/bin/sh';
  return {
    shell: { name: basename(shell), path: shell },
    executorVersion: version,
    providerId: `sha256:${createHash('sha256').update(`${hostname()}\0${homedir()}`).digest('hex')}`,
    cwd: uri(process.cwd()),
    userHomeDir: uri(homedir()),
    platformOs: PLATFORM[platform()] ?? platform(),
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: uri(tmpdir()),
    capabilities: CAPABILITIES,
  };
}

const uri = (path: string): string => pathToFileURL(path).href;
