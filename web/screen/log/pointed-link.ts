// The address in a log that is pointed at or focused: the page shows the target of a link before it is followed.

/** Calls `told` with each new address; null when there is none any more. */
export function tellPointedLink(rows: HTMLElement, told: (address: string | null) => void): void {
  let last: string | null = null;
  const tell = (link: string | null): void => {
    if (link === last) return;
    last = link;
    told(link);
  };
  for (const type of ['pointerover', 'focusin']) {
    rows.addEventListener(type, ({ target }) => tell(linkAt(target)));
  }
  for (const type of ['pointerleave', 'focusout']) {
    rows.addEventListener(type, () => tell(null));
  }
}

const linkAt = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest<HTMLAnchorElement>('a.log-link')?.href ?? null) : null;
