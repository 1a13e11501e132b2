// Handlers of environment/* and environmentConfig/*: this machine, and the configuration of agents on it.
import { homedir, hostname } from 'node:os';
import { pathFromUri, uriFromPath } from '../../host/file-uri.ts';
import { environmentOf, type User } from '../../host/user.ts';
import type { EnvironmentInfo } from '../../../protocol/session.ts';
import { invalidParams } from '../../rpc/rpc-error.ts';
import { answers } from '../../sessions/answers.ts';
import type { Methods, Peer } from '../../sessions/peer.ts';
import { filesAs, OWN_FILES, type ConfigFiles } from './config-files.ts';
import { codexHome, configLayers } from './config-layers.ts';

type EnvironmentMethods = Pick<Methods, 'environment/info' | 'environment/status' | 'environmentConfig/read'>;

/** `user` owns and reads the configuration; null means the gateway's own user. */
export function environmentMethods(info: EnvironmentInfo, user: User | null): EnvironmentMethods {
  return {
    'environment/info': () => info,
    'environment/status': () => ({ status: 'ready' }),
    'environmentConfig/read': async ({ cwd, configPaths }, peer) => {
      const home = codexHome(environmentOf(user, process.env));
      const files = user ? filesAs(user, peer) : answeringFiles(peer.identity);
      return {
        userHomeDir: uriFromPath(user?.home ?? homedir()),
        codexHomeDir: uriFromPath(home),
        hostname: hostname(),
        config: {
          layers: await configLayers(home, pathOf(cwd), { paths: configPaths, files }),
          cloudInsertionIndex: 0,
        },
        // Requirements come from the administrator of the agent's machine; this gateway adds none.
        requirements: { layers: [], cloudInsertionIndex: 0 },
      };
    },
  };
}

/** Accesses files as the gateway's user, each only after its file system has answered. */
const answeringFiles = (taker: Peer['identity']): ConfigFiles => ({
  async read(path) {
    await answers([path], taker);
    return OWN_FILES.read(path);
  },
  async isThere(path) {
    await answers([path], taker);
    return OWN_FILES.isThere(path);
  },
});

function pathOf(uri: string): string {
  try {
    return pathFromUri(uri);
  } catch (error) {
    throw invalidParams(`environmentConfig/read: params.cwd: ${(error as Error).message}`);
  }
}
