// Pasted text, before a program sees it as if it had been typed.

// C0 but for tab, newline and return; DEL; C1. An ESC in a paste could end a bracketed paste from within.
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export const safePaste = (text: string): string => text.replace(CONTROL, '');
