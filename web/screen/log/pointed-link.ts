// Reports the hovered or focused address in a log, so that the page can show a link's target before it is opened.

/** Calls `changed` with each new address, and with null when no link is hovered or focused. */
export function reportPointedLink(rows: HTMLElement, changed: (address: string | null) => void): void {
  let last: string | null = null;
  const report = (link: string | null): void => {
    if (link === last) return;
    last = link;
    changed(link);
  };
  for (const type of ['pointerover', 'focusin']) {
    rows.addEventListener(type, ({ target }) => report(linkAt(target)));
  }
  for (const type of ['pointerleave', 'focusout']) {
    rows.addEventListener(type, () => report(null));
  }
}

const linkAt = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest<HTMLAnchorElement>('a.log-link')?.href ?? null) : null;
