// Copying text to the clipboard, with a confirmation.
import { tellDone, tellProblem } from './page-store.ts';

/** Copies the text. Resolves to true when it was copied. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await written(text);
  if (isCopied) tellDone('Copied');
  else tellProblem('Not copied: this browser does not let the page write to the clipboard.');
  return isCopied;
}

async function written(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The API is refused, or missing, as on pages without TLS.
    return copiedByEvent(text);
  }
}

/** Copies by a copy event, as the browser's own menu does, which needs no permission. */
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
