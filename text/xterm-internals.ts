// Private parts of xterm.js used by the page and the gateway. Each feature checks here for its parts; if a
// build of xterm.js lacks one, only that feature is disabled.

// The console is declared here because this folder is compiled without the types of the DOM and of Node.
declare const console: { warn(text: string): void };

export interface XtermAttributes {
  bg: number;
  extended: XtermUnderline & { clone(): XtermAttributes['extended'] };
  updateExtended(): void;
  /** Nonzero for characters protected from selective erasing (DECSCA). */
  isProtected(): number;
  /** Nonzero when `extended` applies. */
  hasExtendedAttrs(): number;
  /** Underline style; 0: no underline. */
  getUnderlineStyle(): number;
  isUnderlineColorRGB(): boolean;
  isUnderlineColorPalette(): boolean;
  getUnderlineColor(): number;
}

export interface XtermUnderline {
  /** Style drawn; for a link it may differ from the one set. */
  underlineStyle: number;
  underlineColor: number;
  /** Id of a link; 0: no link. */
  urlId: number;
}

export interface XtermLinkData {
  readonly id?: string;
  readonly uri: string;
}

export interface XtermLink {
  readonly data: XtermLinkData;
  /** Key to find the link again by its name; absent if the link has no name. */
  readonly key?: string;
  /** Markers of the lines that keep the link registered. */
  readonly lines: readonly { dispose(): void }[];
}

export interface XtermBuffer {
  x: number;
  readonly y: number;
  /** Number of lines above the screen. */
  readonly ybase: number;
  readonly lines: { get(y: number): XtermLine; readonly length: number; maxLength: number };
  readonly scrollTop: number;
  readonly scrollBottom: number;
  /** Columns with a tab stop. */
  readonly tabs: Readonly<Record<number, unknown>>;
  savedX: number;
  /** Row counted from the first retained line. */
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

/** Methods that implement sequences and modes. */
export interface XtermHandler {
  readonly _activeBuffer: XtermBuffer;
  readonly _curAttrData: XtermAttributes;
  /** The state after the last printed character, which decides whether the next one joins it. */
  readonly _parser: { precedingJoinState: number };
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
    readonly cols: number;
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
    /** Calls the listener for input by a person, but not for the terminal's own replies. */
    onUserInput(listener: () => void): unknown;
    readonly kittyKeyboard: { flags: number };
    readonly decPrivateModes: { readonly colorSchemeUpdates: boolean; readonly wraparound: boolean };
  };
  readonly _keyboardService: {
    evaluateKeyDown(event: object): { readonly key?: string };
    /** Returns null unless the program has requested key-up events. */
    evaluateKeyUp(event: object): { readonly key?: string } | null;
  };
  readonly _viewport: { readonly _scrollableElement: { _handleScroll: (event: unknown) => void } };
  _reportColorScheme(): void;
}

/** Parts required by each feature, as paths from the terminal's core. */
const NEEDED = {
  alternate: ['_bufferService.buffers.alt.lines.maxLength'],
  counts: ['_inputHandler.scrollUp'],
  cells: [
    '_inputHandler.print',
    '_inputHandler._parser.precedingJoinState',
    '_bufferService.buffer.x',
    '_bufferService.buffer.lines.get',
    '_bufferService.cols',
    'coreService.decPrivateModes.wraparound',
  ],
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

/**
 * Returns the parts that this terminal lacks, each as `feature: path`. `scrollBar` requires an open terminal.
 */
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

/** Features already found complete, by terminal. */
const complete = new WeakMap<object, Set<XtermFeature>>();

/** Returns the terminal's core; null if the core lacks a part that the feature needs, which is logged once. */
export function internalsFor(terminal: object, feature: XtermFeature): Core | null {
  const found = complete.get(terminal) ?? new Set();
  const missing = found.has(feature) ? [] : missingInternals(terminal, [feature]);
  if (missing.length === 0) {
    complete.set(terminal, found.add(feature));
    return Reflect.get(terminal, '_core') as Core;
  }
  const report = `this version of xterm.js lacks ${missing.join(', ')}; the feature is disabled`;
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
