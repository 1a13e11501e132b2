// Browser features that the page needs and happy-dom lacks: popovers, modal dialogs, media, sizes, and trusted keys.
// oxlint-disable typescript/unbound-method -- called with their own `this`

/** Size of every element, since happy-dom has no layout. */
const WIDTH_PX = 1440;
const HEIGHT_PX = 900;

const OPEN = 'data-popover-open';
interface Browser {
  isInstalled: boolean;
  /** Open popovers and dialogs, topmost last, each with the element that had the focus before. */
  layers: readonly { readonly element: HTMLElement; readonly before: Element | null }[];
  media: Readonly<Record<string, boolean>>;
  mediaLists: readonly FakeMediaList[];
  intersections: readonly FakeIntersections[];
}

const AS_STARTED = { layers: [], media: {}, mediaLists: [], intersections: [] } as const;
/** State of the window, stored globally because several test files share a window, but no modules. */
const browser = ((globalThis as { testBrowser?: Browser }).testBrowser ??= {
  isInstalled: false,
  ...AS_STARTED,
});

/** Sets whether each of these media queries matches; by default, none does. */
export function setMedia(queries: Readonly<Record<string, boolean>>): void {
  browser.media = { ...browser.media, ...queries };
  for (const list of browser.mediaLists) list.dispatchEvent(new Event('change'));
}

export function resetBrowser(): void {
  Object.assign(browser, AS_STARTED);
}

class FakeMediaList extends EventTarget {
  readonly media: string;
  constructor(query: string) {
    super();
    this.media = query;
    browser.mediaLists = [...browser.mediaLists, this];
  }
  addListener(listener: () => void): void {
    this.addEventListener('change', listener);
  }
  removeListener(listener: () => void): void {
    this.removeEventListener('change', listener);
  }
  get matches(): boolean {
    return browser.media[this.media] ?? false;
  }
}

class FakeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Observer that never reports an element as in view by itself, since there is no layout. */
class FakeIntersections extends FakeObserver {
  readonly #report: IntersectionObserverCallback;
  #elements: readonly Element[] = [];
  constructor(report: IntersectionObserverCallback) {
    super();
    this.#report = report;
    browser.intersections = [...browser.intersections, this];
  }
  override observe(element?: Element): void {
    if (element) this.#elements = [...this.#elements, element];
  }
  override disconnect(): void {
    this.#elements = [];
  }
  show(element: Element): void {
    if (!this.#elements.includes(element)) return;
    const entry = { target: element, isIntersecting: true } as unknown as IntersectionObserverEntry;
    this.#report([entry], this as unknown as IntersectionObserver);
  }
}

/** Reports that the element has come into view. */
export function comeIntoView(element: Element): void {
  for (const each of browser.intersections) each.show(element);
}

/** Installs the features, once per window. */
export function installBrowser(): void {
  if (browser.isInstalled) return;
  browser.isInstalled = true;
  const { prototype } = HTMLElement;
  for (const [names, value] of [
    [['offsetWidth', 'clientWidth'], WIDTH_PX],
    [['offsetHeight', 'clientHeight'], HEIGHT_PX],
  ] as const)
    for (const name of names)
      Object.defineProperty(prototype, name, { configurable: true, get: () => value });
  Object.defineProperty(KeyboardEvent.prototype, 'isTrusted', { configurable: true, get: () => true });
  Object.defineProperty(document, 'fonts', {
    configurable: true,
    value: { load: () => Promise.resolve([]) },
  });
  Object.assign(globalThis, {
    ResizeObserver: FakeObserver,
    IntersectionObserver: FakeIntersections,
    matchMedia: (query: string) => new FakeMediaList(query),
    requestIdleCallback: (run: (deadline: object) => void) =>
      setTimeout(() => run({ didTimeout: false, timeRemaining: () => 50 }), 0),
    cancelIdleCallback: (id: number) => clearTimeout(id),
    OffscreenCanvas: class {
      getContext = (kind: string) => (kind === '2d' ? canvasContext() : null);
    },
    Worker: class extends EventTarget {
      postMessage(): void {}
      terminate(): void {}
    },
  });
  HTMLCanvasElement.prototype.getContext = ((kind: string) =>
    kind === '2d' ? canvasContext() : null) as typeof HTMLCanvasElement.prototype.getContext;
  Object.assign(Element.prototype, {
    animate: () => ({ finished: Promise.resolve(), cancel: () => undefined }),
  });
  installPopovers();
  installDialogs();
  window.addEventListener('keydown', (event) => afterwards(event, closeByEscape), { capture: true });
  document.addEventListener('pointerdown', closeByPressBeside, { capture: true });
  window.addEventListener('click', (event) => afterwards(event, openByButton), { capture: true });
}

/** Canvas context that draws nothing; all letters have equal width. */
function canvasContext(): CanvasRenderingContext2D {
  const members: Record<PropertyKey, unknown> = {
    measureText: (text: string) => ({
      width: 8 * text.length,
      fontBoundingBoxAscent: 12,
      fontBoundingBoxDescent: 4,
    }),
  };
  return new Proxy(members, {
    get: (target, name) => target[name] ?? (() => undefined),
  }) as unknown as CanvasRenderingContext2D;
}

function installPopovers(): void {
  const { matches, closest, querySelector, querySelectorAll } = Element.prototype;
  const known = (selector: string): string => selector.replaceAll(':popover-open', `[${OPEN}]`);
  Object.assign(Element.prototype, {
    matches(this: Element, selector: string) {
      return matches.call(this, known(selector));
    },
    closest(this: Element, selector: string) {
      return closest.call(this, known(selector));
    },
    querySelector(this: Element, selector: string) {
      return querySelector.call(this, known(selector));
    },
    querySelectorAll(this: Element, selector: string) {
      return querySelectorAll.call(this, known(selector));
    },
  });
  const find = document.querySelector.bind(document);
  document.querySelector = (selector: string) => find(known(selector));
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      if (this.hasAttribute(OPEN)) return;
      this.dispatchEvent(toggled('beforetoggle', 'open'));
      this.setAttribute(OPEN, '');
      addLayer(this);
      queueMicrotask(() => this.dispatchEvent(toggled('toggle', 'open')));
    },
    hidePopover(this: HTMLElement) {
      if (!this.hasAttribute(OPEN)) return;
      this.dispatchEvent(toggled('beforetoggle', 'closed'));
      this.removeAttribute(OPEN);
      giveFocusBack(this);
      queueMicrotask(() => this.dispatchEvent(toggled('toggle', 'closed')));
    },
  });
}

function toggled(type: string, newState: 'open' | 'closed'): Event {
  return Object.assign(new Event(type), { newState, oldState: newState === 'open' ? 'closed' : 'open' });
}

function installDialogs(): void {
  const { showModal, close } = HTMLDialogElement.prototype;
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      addLayer(this);
      showModal.call(this);
      const first = this.querySelector<HTMLElement>(
        '[autofocus], button, input, select, textarea, [tabindex="0"]',
      );
      first?.focus();
    },
    close(this: HTMLDialogElement, value?: string) {
      if (this.open) giveFocusBack(this);
      close.call(this, value);
    },
  });
}

function addLayer(element: HTMLElement): void {
  browser.layers = [...browser.layers, { element, before: document.activeElement }];
}

function giveFocusBack(element: HTMLElement): void {
  const layer = browser.layers.find((each) => each.element === element);
  browser.layers = browser.layers.filter((each) => each !== layer);
  const { before } = layer ?? {};
  const hasFocus = element.contains(document.activeElement) || document.activeElement === document.body;
  if (hasFocus && before instanceof HTMLElement) before.focus();
}

/** Runs a browser's default action after all listeners, unless one of them prevented it. */
function afterwards<E extends Event>(event: E, act: (event: E) => void): void {
  queueMicrotask(() => {
    if (!event.defaultPrevented) act(event);
  });
}

function closeByEscape(event: KeyboardEvent): void {
  const top = browser.layers.at(-1)?.element;
  if (event.key !== 'Escape' || !top) return;
  if (!(top instanceof HTMLDialogElement)) return top.hidePopover();
  const cancel = new Event('cancel', { cancelable: true });
  if (top.dispatchEvent(cancel)) top.close();
}

function closeByPressBeside({ target }: Event): void {
  const top = browser.layers.at(-1)?.element;
  if (!top || top instanceof HTMLDialogElement || !(target instanceof Element)) return;
  const opener = target.closest('[popovertarget]')?.getAttribute('popovertarget');
  if (!top.contains(target) && opener !== top.id) top.hidePopover();
}

function openByButton({ target }: Event): void {
  const button = target instanceof Element ? target.closest('button[popovertarget]') : null;
  const popover = document.getElementById(button?.getAttribute('popovertarget') ?? '');
  if (popover?.hasAttribute(OPEN)) popover.hidePopover();
  else popover?.showPopover();
}

/** True when the element is displayed; style sheets are not taken into account. */
export function isShown(element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (each.hasAttribute('hidden')) return false;
    if (each instanceof HTMLDialogElement && !each.open) return false;
    if (each.hasAttribute('popover') && !each.hasAttribute(OPEN)) return false;
    if (each instanceof HTMLElement && each.style.display === 'none') return false;
    const { parentElement } = each;
    if (parentElement instanceof HTMLDetailsElement && !parentElement.open && each.tagName !== 'SUMMARY')
      return false;
  }
  return element.isConnected;
}
