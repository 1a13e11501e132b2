// Finds the paths that a start accesses and that may hang: its folder, program, and places in its sandbox.
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SandboxIntent } from '../../protocol/sandbox.ts';
import { hanging, type HangingMount } from '../host/hanging.ts';
import { namedIn } from '../host/sandbox/intent.ts';
import { interpreterOf, placesOf } from '../host/spawn.ts';

export interface StartPlaces {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly intent: SandboxIntent | null;
}

export function placesOfStart(
  { argv: [name = ''], cwd, env, intent }: StartPlaces,
  mounts: readonly HangingMount[],
): string[] {
  const { TMPDIR, PATH } = env;
  const where = { cwd, env: PATH === undefined ? {} : { PATH } };
  return [
    cwd,
    ...programPlaces(whereIs(name, where), cwd, mounts),
    ...(intent ? namedIn(intent, { cwd, tmpdir: TMPDIR }) : []),
  ];
}

/**
 * Returns the possible places of a program on file systems that may hang, up to the first other place where the program
 * is found; also returns the interpreter of the program found there.
 */
export function programPlaces(
  places: readonly string[],
  cwd: string,
  mounts: readonly HangingMount[],
): string[] {
  const found: string[] = [];
  for (const place of places) {
    if (hanging(place, mounts)) found.push(place);
    else if (isProgram(place)) {
      const interpreter = interpreterOf(place);
      return interpreter === null ? found : [...found, resolve(cwd, interpreter)];
    }
  }
  return found;
}

/** Returns the possible places of a program; none for a name that the start itself refuses. */
function whereIs(...where: Parameters<typeof placesOf>): string[] {
  try {
    return placesOf(...where);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    // Most folders do not contain the program, and an exception costs more than the look-up.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
