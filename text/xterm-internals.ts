// The private parts of xterm.js that we reach into, of the page's build and of the gateway's. A build that lacks one of
// them loses what that part is for, and nothing else: each feature asks here first, and goes without when it gets null.

// Browsers and Node both have it; this project's types are neither's.
declare const console: { warn(text: string): void };

export interface XtermAttributes {
  bg: number;
  extended: XtermUnderline & { clone(): XtermAttributes['extended'] };
  updateExtended(): void;
  /** Nonzero when selective erasing leaves its characters alone (DECSCA). */
  isProtected(): number;
  /** Nonzero when `extended` counts. */
  hasExtendedAttrs(): number;
  /** 0: none. */
  getUnderlineStyle(): number;
  isUnderlineColorRGB(): boolean;
  isUnderlineColorPalette(): boolean;
  getUnderlineColor(): number;
}

export interface XtermUnderline {
  /** The shown style: a link replaces the one that was set. */
  underlineStyle: number;
  underlineColor: number;
  /** The number of a link; 0: none. */
  urlId: number;
}

export interface XtermLinkData {
  readonly id?: string;
  readonly uri: string;
}

export interface XtermLink {
  readonly data: XtermLinkData;
  /** The key by which it is found when it is opened again; none for a link without a name. */
  readonly key?: string;
  /** Markers of the lines that keep the link registered. */
  readonly lines: readonly { dispose(): void }[];
}

export interface XtermBuffer {
  x: number;
  readonly y: number;
  /** Lines above the screen. */
  readonly ybase: number;
  readonly lines: { get(y: number): XtermLine; readonly length: number; maxLength: number };
  readonly scrollTop: number;
  readonly scrollBottom: number;
  /** A column that has a stop is in it. */
  readonly tabs: Readonly<Record<number, unknown>>;
  savedX: number;
  /** Counts from the first line that is kept. */
  savedY: number;
  readonly savedCurAttrData: XtermAttributes;
  savedCharsets: unknown[];
  savedGlevel: number;
  savedOriginMode: boolean;
  savedWraparoundMode: boolean;
}

export interface XtermLine {
  addCodepointToCell(index: number, codePoint: number, cells: number): void;
  getString(index: number): string;
  getWidth(index: number): number;
}

type Sequence = (params: { readonly params: readonly number[]; readonly length: number }) => boolean;

/** Methods in which sequences and modes end. */
export interface XtermHandler {
  readonly _activeBuffer: XtermBuffer;
  readonly _curAttrData: XtermAttributes;
  print(data: Uint32Array, start: number, end: number): void;
  eraseInDisplay: Sequence;
  saveCursor: (...args: unknown[]) => boolean;
  restoreCursor: (...args: unknown[]) => boolean;
  softReset: (...args: unknown[]) => boolean;
  _processSGR0: (attributes: XtermAttributes) => void;
}

interface Core {
  readonly _inputHandler: XtermHandler & { readonly [counted: string]: Sequence };
  readonly _bufferService: {
    readonly buffer: XtermBuffer;
    readonly buffers: { readonly normal: XtermBuffer; readonly alt: XtermBuffer };
    resize(cols: number, rows: number): void;
  };
  readonly _charsetService: { readonly glevel: number; setgLevel(level: number): void };
  readonly _oscLinkService: {
    registerLink(data: XtermLinkData): number;
    addLineToLink(id: number, y: number): void;
    getLinkData(id: number): XtermLinkData | undefined;
    readonly _dataByLinkId: Map<number, XtermLink>;
    readonly _entriesWithId: Map<string, XtermLink>;
  };
  readonly coreService: {
    /** Input of a person, unlike the answers of the terminal itself. */
    onUserInput(listener: () => void): unknown;
    readonly kittyKeyboard: { flags: number };
    readonly decPrivateModes: { readonly colorSchemeUpdates: boolean };
  };
  readonly _keyboardService: {
    evaluateKeyDown(event: object): { readonly key?: string };
    /** Null: no program has requested it. */
    evaluateKeyUp(event: object): { readonly key?: string } | null;
  };
  readonly _viewport: { readonly _scrollableElement: { _handleScroll: (event: unknown) => void } };
  _reportColorScheme(): void;
}

/** The parts that each feature needs, by their path from the terminal's core. */
const NEEDED = {
  alternate: ['_bufferService.buffers.alt.lines.maxLength'],
  counts: ['_inputHandler.scrollUp'],
  cells: ['_inputHandler.print', '_bufferService.buffer.x', '_bufferService.buffer.lines.get'],
  links: [
    '_oscLinkService.registerLink',
    '_oscLinkService.addLineToLink',
    '_oscLinkService.getLinkData',
    '_oscLinkService._dataByLinkId',
    '_oscLinkService._entriesWithId',
    '_bufferService.buffer.lines.get',
  ],
  cursor: [
    '_bufferService.resize',
    '_inputHandler._activeBuffer.ybase',
    '_inputHandler._curAttrData.updateExtended',
    '_inputHandler.saveCursor',
    '_inputHandler.restoreCursor',
    '_inputHandler.softReset',
    '_inputHandler._processSGR0',
  ],
  screen: [
    '_bufferService.buffers.normal.tabs',
    '_bufferService.buffers.alt.tabs',
    '_bufferService.buffers.normal.savedCurAttrData.isProtected',
    '_charsetService.glevel',
    '_inputHandler._curAttrData.isProtected',
  ],
  shifts: ['_charsetService.setgLevel', '_charsetService.glevel', '_inputHandler.print'],
  underlines: ['_inputHandler._curAttrData.extended.clone'],
  erasing: ['_inputHandler.eraseInDisplay'],
  keys: [
    'coreService.kittyKeyboard.flags',
    '_keyboardService.evaluateKeyDown',
    '_keyboardService.evaluateKeyUp',
  ],
  typed: ['coreService.onUserInput'],
  scheme: ['coreService.decPrivateModes.colorSchemeUpdates', '_reportColorScheme'],
  scrollBar: ['_viewport._scrollableElement._handleScroll'],
} satisfies { readonly [feature: string]: readonly string[] };

export type XtermFeature = keyof typeof NEEDED;

/** Features that this terminal lacks a part for, each with the parts. `scrollBar` needs one that is open. */
export function missingInternals(
  terminal: object,
  features = Object.keys(NEEDED) as XtermFeature[],
): readonly string[] {
  const core: unknown = Reflect.get(terminal, '_core');
  return features.flatMap((feature) =>
    NEEDED[feature].filter((path) => !has(core, path)).map((path) => `${feature}: ${path}`),
  );
}

const reported = new Set<string>();

/** The features that each terminal was found to have all parts for: what is there stays. */
const complete = new WeakMap<object, Set<XtermFeature>>();

/** The terminal's core when it has all that the feature needs, else null, which is reported once. */
export function internalsFor(terminal: object, feature: XtermFeature): Core | null {
  const found = complete.get(terminal) ?? new Set();
  const missing = found.has(feature) ? [] : missingInternals(terminal, [feature]);
  if (missing.length === 0) {
    complete.set(terminal, found.add(feature));
    return Reflect.get(terminal, '_core') as Core;
  }
  const report = `this xterm.js lacks ${missing.join(', ')}; it goes on without`;
  if (!reported.has(report)) console.warn(report);
  reported.add(report);
  return null;
}

function has(core: unknown, path: string): boolean {
  let at = core;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !(name in at)) return false;
    at = Reflect.get(at, name);
  }
  return at !== undefined;
}
