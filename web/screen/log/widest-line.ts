// Width of a log with unwrapped lines: that of the widest line drawn so far, so that the view does not jump when the
// line scrolls away.

/** Position of a match in the view, as a fraction of the width. */
const MATCH_SHARE = 0.3;

export class WidestLine {
  readonly #view: HTMLElement;
  readonly #space: HTMLElement;
  #widestPx = 0;
  /** True until the current match has been scrolled into view horizontally. */
  #isRevealing = false;

  constructor(view: HTMLElement, space: HTMLElement) {
    this.#view = view;
    this.#space = space;
  }

  forget(): void {
    this.#widestPx = 0;
    this.#space.style.minWidth = '';
  }

  /** Scrolls horizontally to the current match once it is drawn. */
  reveal(): void {
    this.#isRevealing = true;
  }

  drawn(): void {
    const view = this.#view;
    if (view.scrollWidth > this.#widestPx) {
      this.#widestPx = view.scrollWidth;
      this.#space.style.minWidth = `${this.#widestPx}px`;
    }
    const match = this.#isRevealing ? this.#space.querySelector('mark.present') : null;
    if (!match) return;
    this.#isRevealing = false;
    const [{ left, right }, box] = [match.getBoundingClientRect(), view.getBoundingClientRect()];
    const textLeft = box.left + (this.#space.querySelector<HTMLElement>('.log-gutter')?.offsetWidth ?? 0);
    if (left < textLeft || right > box.right) {
      view.scrollLeft += left - textLeft - Math.round((box.right - textLeft) * MATCH_SHARE);
    }
  }
}
