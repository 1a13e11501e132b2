// process/start: what was asked for → what to spawn, or a refusal before anything is spawned.
import { userInfo } from 'node:os';
import type { Requests } from '../protocol/methods.ts';
import type { Size } from '../protocol/scalars.ts';
import type { ChildSpec } from '../process/child.ts';
import { childEnvironment } from '../process/environment.ts';
import { pathFromUri } from '../process/file-uri.ts';
import { internal, invalidParams } from '../rpc/rpc-error.ts';

type StartParams = Requests['process/start']['params'];

export const LOGIN_SHELL = userInfo().shell || '/bin/sh';

/** The reference's terminal, unless a size is asked for. */
export const DEFAULT_SIZE: Size = { rows: 24, cols: 80 };

/** Metadata is shown to people; more of it than this is not theirs to read. */
const METADATA_ENTRIES = 32;
const METADATA_CHARS = 1024;

export function childSpec(params: StartParams, ownEnvironment: NodeJS.ProcessEnv): ChildSpec {
  refuseWhatCannotBeEnforced(params);
  return {
    argv: params.argv,
    arg0: params.arg0 ?? null,
    cwd: workingDirectory(params.cwd),
    env: childEnvironment({
      env: params.env,
      envPolicy: params.envPolicy ?? null,
      tty: params.tty,
      own: ownEnvironment,
      loginShell: LOGIN_SHELL,
    }),
    tty: params.tty ? (params.size ?? DEFAULT_SIZE) : null,
    pipeStdin: params.pipeStdin ?? false,
  };
}

/** The string members of what the client says about its process. */
export function shownMetadata(metadata: unknown): Readonly<Record<string, string>> {
  if (typeof metadata !== 'object' || metadata === null) return {};
  const strings = Object.entries(metadata).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(
    strings
      .slice(0, METADATA_ENTRIES)
      .map(([name, value]) => [name.slice(0, 64), value.slice(0, METADATA_CHARS)]),
  );
}

/** A sandbox that is asked for and not enforced would be a lie; so such a process does not start. */
function refuseWhatCannotBeEnforced({ sandbox, enforceManagedNetwork }: StartParams): void {
  if (sandbox)
    throw internal('params.sandbox: this gateway cannot enforce a sandbox yet, so nothing was started');
  if (enforceManagedNetwork) {
    throw internal(
      'params.enforceManagedNetwork: this gateway has no managed network, so nothing was started',
    );
  }
}

function workingDirectory(cwd: string): string {
  try {
    return pathFromUri(cwd);
  } catch (error) {
    throw invalidParams(`process/start: params.cwd: ${(error as Error).message}`);
  }
}
