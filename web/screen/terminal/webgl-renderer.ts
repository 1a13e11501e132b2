// WebGL drawing for a terminal where that is faster: loaded on first use; disposing of a renderer releases its context.
import type { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';
import type { Renderer } from './webgl-leases.ts';
import { readText } from '../../state/page/storage.ts';

const STORAGE_KEY = 'exec-console.renderer';
/** Renderers without a graphics processor; with these, WebGL is slower than the DOM. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Returns true when this browser draws faster with WebGL; `webgl` or `dom` in local storage overrides the result. */
export function isWebglWanted(): boolean {
  const chosen = readText(STORAGE_KEY);
  if (chosen === 'webgl' || chosen === 'dom') return chosen === 'webgl';
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) return false;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  giveBack(context);
  return !SOFTWARE.test(name);
}

export async function loadWebgl(): Promise<(terminal: Terminal) => Renderer> {
  const { WebglAddon } = await import('@xterm/addon-webgl');
  return (terminal) => start(terminal, new WebglAddon());
}

/**
 * Minimum text contrast, only with WebGL: the DOM renderer measures inverse text against its non-inverse background,
 * and would make it grey on grey.
 */
const READABLE_CONTRAST = 4.5;
const AS_CHOSEN = 1;

function start(terminal: Terminal, addon: WebglAddon): Renderer {
  terminal.loadAddon(addon);
  terminal.options.minimumContrastRatio = READABLE_CONTRAST;
  const contexts = [...(terminal.element?.querySelectorAll('canvas') ?? [])].flatMap(
    // A canvas returns its existing context when the same kind is requested.
    (canvas) => canvas.getContext('webgl2') ?? [],
  );
  return {
    onContextLoss: (listener) => void addon.onContextLoss(listener),
    dispose() {
      addon.dispose();
      terminal.options.minimumContrastRatio = AS_CHOSEN;
      for (const context of contexts) giveBack(context);
    },
  };
}

/**
 * Releases the context; otherwise it counts towards the browser's limit until garbage collection, and the
 * browser may drop one of another page.
 */
function giveBack(context: WebGL2RenderingContext): void {
  context.getExtension('WEBGL_lose_context')?.loseContext();
}
