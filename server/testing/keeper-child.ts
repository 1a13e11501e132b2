// A real child in a real keeper, whose events are recorded like those of a child in this program.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../config.ts';
import type { Child, ChildSpec } from '../host/child.ts';
import { randomId } from '../host/random-id.ts';
import { KeeperLink } from '../keeper/link/keeper-link.ts';
import { recorded, type TestChild } from './test-child.ts';

let keeper: { readonly link: Promise<KeeperLink>; readonly stateDir: string } | null = null;

/** Returns the keeper of these tests, which is started for the first child. */
function opened(): Promise<KeeperLink> {
  if (!keeper) {
    const stateDir = mkdtempSync(join(tmpdir(), 'exec-console-keeper-'));
    const none = { displaced: () => {}, lost: () => {}, trouble: () => {} };
    keeper = { link: KeeperLink.open(stateDir, none), stateDir };
  }
  return keeper.link;
}

export async function startInKeeper(spec: ChildSpec, onChunk?: (child: Child) => void): Promise<TestChild> {
  const link = await opened();
  const held = await link.spawn(randomId(12), spec, DEFAULT_LIMITS, { lingerMs: 0, isOwned: true });
  return recorded((events) => {
    held.begin(events);
    const origin = { session: 's', writeId: '1' };
    // Each write names a session and a write id, because the keeper's queue requires both.
    return Object.assign(held, { write: (bytes: Uint8Array) => held.input.write(bytes, origin) });
  }, onChunk);
}

/** Ends the keeper, with everything left in it. */
export async function stopKeeperOfTests(): Promise<void> {
  if (!keeper) return;
  const { link, stateDir } = keeper;
  keeper = null;
  await (await link).stop(0);
  rmSync(stateDir, { recursive: true, force: true });
}
