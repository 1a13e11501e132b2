// Saves a file through the browser.

/** URL of the last saved file, which the browser may still be reading; revoked when the next file is saved. */
let lastUrl: string | null = null;

export function saveBlob(blob: Blob, name: string): void {
  if (lastUrl !== null) URL.revokeObjectURL(lastUrl);
  lastUrl = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = lastUrl;
  link.download = name;
  link.click();
}
