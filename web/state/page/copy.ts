// Copies text to the clipboard and confirms it.
import { showDone, showProblem } from './page-store.ts';

/** Copies the text and shows whether that succeeded. Resolves to true on success. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await written(text);
  if (isCopied) showDone('Copied');
  else showProblem('Not copied: this browser does not allow the page to write to the clipboard.');
  return isCopied;
}

async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The browser may deny access to the clipboard API, which exists only on secure pages (TLS or localhost).
    return copiedByEvent(text);
  }
}

/** Copies through a copy event, as the browser's own menu does; this needs no permission. */
function copiedByEvent(text: string): boolean {
  const give = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
  };
  window.addEventListener('copy', give, { capture: true });
  const isCopied = document.execCommand('copy');
  window.removeEventListener('copy', give, { capture: true });
  return isCopied;
}
