// What the browser's tab says while one looks at another: how many processes need a person, by number and by a dot.
import { isWaiting } from '../processes/process-status.ts';
import { processStore } from '../processes/process-store.ts';
import { attentionStore } from './attention-store.ts';

const NAME = 'exec-console';
const ICON = './favicon.svg';
const ICON_ATTENTION = './favicon-attention.svg';

/** As long as the page. */
export function signTab(): void {
  let shown = 0;
  const sign = (): void => {
    const count = countNeedy();
    if (count === shown) return;
    shown = count;
    document.title = count > 0 ? `(${count}) ${NAME}` : NAME;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = count > 0 ? ICON_ATTENTION : ICON;
  };
  processStore.subscribe((state, before) => {
    if (state.processes !== before.processes) sign();
  });
  attentionStore.subscribe(sign);
}

/** That wait for input, or have failed or notified and nobody has looked; a bell alone is not that much. */
function countNeedy(): number {
  const { unseen } = attentionStore.getState();
  const waiting = Object.values(processStore.getState().processes).filter((info) => isWaiting(info));
  const keys = Object.values(unseen).flatMap(({ cause, key }) => (cause === 'bell' ? [] : key));
  return new Set([...keys, ...waiting.map(({ key }) => key)]).size;
}
