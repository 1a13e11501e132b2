// Which address in a log is pointed at, or has the keyboard: where a link leads is said before one follows it.

/** `told`: null when none is any more. */
export function tellPointedLink(rows: HTMLElement, told: (address: string | null) => void): void {
  for (const type of ['pointerover', 'focusin']) {
    rows.addEventListener(type, ({ target }) => told(linkAt(target)));
  }
  for (const type of ['pointerleave', 'focusout']) {
    rows.addEventListener(type, () => told(null));
  }
}

const linkAt = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest<HTMLAnchorElement>('a.log-link')?.href ?? null) : null;
