// The thread that hashes output, so that the page's own has nothing of it: a state and bytes come in, a state goes out.
import { Sha256, type Sha256State } from './sha256.ts';

export interface DigestTask {
  readonly state: Sha256State;
  readonly bytes: Uint8Array;
}

globalThis.addEventListener('message', ({ data: { state, bytes } }: MessageEvent<DigestTask>) => {
  const digest = Sha256.from(state);
  digest.update(bytes);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  postMessage(digest.state);
});
