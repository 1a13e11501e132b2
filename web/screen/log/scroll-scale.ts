// The scroll position of contents that are taller than a browser lays out: nearby it scrolls pixel by pixel, and the bar
// as a whole stands for all.

/** Browsers lay out some 17 million px. */
const MOST_PX = 8_000_000;
/** A scroll by more views than this is a move of the bar. */
const NEAR_VIEWS = 4;

interface Extent {
  /** Height of the contents, and of the view. */
  readonly total: number;
  readonly height: number;
}

export class ScrollScale {
  /** Pixels of the contents above the element's own beginning. */
  #shift = 0;

  get shift(): number {
    return this.#shift;
  }

  spaceOf(total: number): number {
    return Math.min(total, MOST_PX);
  }

  /** The place in the contents after a scroll from `before` to `now`. */
  contentTop(now: number, before: number, { total, height }: Extent): number {
    if (total > MOST_PX && Math.abs(now - before) > NEAR_VIEWS * height) {
      this.#shift = Math.round((now / (MOST_PX - height)) * (total - height)) - now;
    }
    return now + this.#shift;
  }

  /** The scroll position for a place in the contents. */
  scrollTop(top: number, { total, height }: Extent): number {
    if (total <= MOST_PX) {
      this.#shift = 0;
      return top;
    }
    const [end, most] = [total - height, MOST_PX - height];
    const [above, below] = [top - this.#shift, most - (top - this.#shift)];
    const isAtEdge = top <= 0 || top >= end;
    // Before it gets to an end of the bar, there must be as much room as there are contents.
    const isShort = (above < height && top > above) || (below < height && end - top > below) || above > top;
    if (isAtEdge || isShort || below > end - top) {
      this.#shift = Math.round(top - (top / end) * most);
    }
    return top - this.#shift;
  }
}
