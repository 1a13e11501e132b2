// Scroll position of content taller than browsers can lay out: short scrolls move by pixels, and the whole scroll bar
// represents the whole content.

/** Maximum height, below the browsers' layout limit of about 17 million px. */
const MOST_PX = 8_000_000;
/** A scroll over more than this many view heights counts as a move of the scroll bar. */
const NEAR_VIEWS = 4;

interface Extent {
  /** Total height of the content. */
  readonly total: number;
  readonly height: number;
}

export class ScrollScale {
  /** Difference in px between the position in the content and the scroll position. */
  #shift = 0;

  get shift(): number {
    return this.#shift;
  }

  spaceOf(total: number): number {
    return Math.min(total, MOST_PX);
  }

  /** Returns the content position after a scroll from `before` to `now`. */
  contentTop(now: number, before: number, { total, height }: Extent): number {
    if (total > MOST_PX && Math.abs(now - before) > NEAR_VIEWS * height) {
      this.#shift = Math.round((now / (MOST_PX - height)) * (total - height)) - now;
    }
    return now + this.#shift;
  }

  /** Returns the scroll position for a content position. */
  scrollTop(top: number, { total, height }: Extent): number {
    if (total <= MOST_PX) {
      this.#shift = 0;
      return top;
    }
    const [end, most] = [total - height, MOST_PX - height];
    const [above, below] = [top - this.#shift, most - (top - this.#shift)];
    const isAtEdge = top <= 0 || top >= end;
    // The scroll bar must have as much room left as the content when either end is near.
    const isShort = (above < height && top > above) || (below < height && end - top > below) || above > top;
    if (isAtEdge || isShort || below > end - top) {
      this.#shift = Math.round(top - (top / end) * most);
    }
    return top - this.#shift;
  }
}
