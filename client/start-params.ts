// Builds the params of `process/start` from a person's request.
import type { Requests } from '../protocol/methods.ts';
import type { StartRequest } from './exec-client.ts';

export function startParams(
  { argv, cwd, env, tty, pipeStdin = true, size, label, recorded, sandbox, like }: StartRequest,
  processId: string,
  windowBytes: number,
): Requests['process/start']['params'] {
  return {
    processId,
    argv: [...argv],
    cwd: fileUri(cwd),
    // A gateway run as a service has no `TERM`, or a limited one. A copied environment already has its own.
    env: { ...(tty && (like?.ownEnv ?? true) && { TERM: 'xterm-256color', COLORTERM: 'truecolor' }), ...env },
    envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] },
    tty,
    // The default is true, because people may want to type into any process they start; a tty needs no pipe.
    pipeStdin: pipeStdin && !tty,
    session: 'console',
    size,
    ...(label !== undefined && { label }),
    ...(recorded === false && { recorded }),
    ...(sandbox && { sandbox }),
    ...(like && { like }),
    windowBytes,
  };
}

/** Returns an absolute path as a file: URI. */
export function fileUri(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}
