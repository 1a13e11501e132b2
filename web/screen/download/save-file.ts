// Saves the output of a process, with secrets masked unless requested otherwise, and reports whether there were any.
import type { Connection } from '../../../client/exec-client.ts';
import { refusalText } from '../../state/page/refusal.ts';
import { tellProblem } from '../../state/page/page-store.ts';
import { tellMasked } from '../../state/page/masked-store.ts';
import type { MaskedFile } from '../../state/page/masked-store.ts';

type Wanted = MaskedFile & { readonly secrets: 'masked' | 'shown' };

export async function saveFile(
  connection: Connection,
  { info, kind, range, secrets }: Wanted,
): Promise<void> {
  tellMasked(null);
  try {
    const { download } = await import('./download.ts');
    if (await download(connection, { info, kind, range, secrets })) tellMasked({ info, kind, range });
  } catch (error) {
    tellProblem(`Not saved: ${refusalText(error)}`);
  }
}
