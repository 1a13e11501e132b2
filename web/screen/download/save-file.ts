// Saves the output of a process, with secrets masked unless requested otherwise, and reports whether there were any.
import type { Connection } from '../../../client/exec-client.ts';
import { refusalText } from '../../state/page/refusal.ts';
import { tellProblem } from '../../state/page/page-store.ts';
import { tellCovered } from '../../state/page/covered-store.ts';
import type { CoveredFile } from '../../state/page/covered-store.ts';

type Wanted = CoveredFile & { readonly secrets: 'covered' | 'shown' };

export async function saveFile(
  connection: Connection,
  { info, kind, range, secrets }: Wanted,
): Promise<void> {
  tellCovered(null);
  try {
    const { download } = await import('./download.ts');
    if (await download(connection, { info, kind, range, secrets })) tellCovered({ info, kind, range });
  } catch (error) {
    tellProblem(`Not saved: ${refusalText(error)}`);
  }
}
