// Saves the output of a process, with secrets masked unless requested otherwise, and reports whether any were masked.
import type { Connection } from '../../../client/exec-client.ts';
import { refusalText } from '../../state/page/refusal.ts';
import { showProblem } from '../../state/page/page-store.ts';
import { reportMasked } from '../../state/page/masked-store.ts';
import type { MaskedFile } from '../../state/page/masked-store.ts';

type Wanted = MaskedFile & { readonly secrets: 'masked' | 'shown' };

export async function saveFile(
  connection: Connection,
  { info, kind, range, secrets }: Wanted,
): Promise<void> {
  reportMasked(null);
  try {
    const { download } = await import('./download.ts');
    if (await download(connection, { info, kind, range, secrets })) reportMasked({ info, kind, range });
  } catch (error) {
    showProblem(`Not saved: ${refusalText(error)}`);
  }
}
