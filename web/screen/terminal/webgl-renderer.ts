// Drawing a terminal with WebGL, where that is faster: loaded when it is first used, and its context given back.
import type { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';
import type { Renderer } from './webgl-leases.ts';
import { readText } from '../../state/page/storage.ts';

const STORAGE_KEY = 'exec-console.renderer';
/** WebGL without a graphics processor is slower than the DOM. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether this browser draws faster with WebGL; `webgl` or `dom` in its storage decides instead. */
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
 * Letters too faint for their ground are drawn stronger. With WebGL alone: the DOM measures inverse letters against
 * the colour that they would have otherwise, and makes them grey on grey.
 */
const READABLE_CONTRAST = 4.5;
const AS_CHOSEN = 1;

function start(terminal: Terminal, addon: WebglAddon): Renderer {
  terminal.loadAddon(addon);
  terminal.options.minimumContrastRatio = READABLE_CONTRAST;
  const contexts = [...(terminal.element?.querySelectorAll('canvas') ?? [])].flatMap(
    // Asked for its own kind, a canvas gives the context that it has.
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

/** Otherwise it counts until it is collected as garbage, and the browser takes one from somebody else. */
function giveBack(context: WebGL2RenderingContext): void {
  context.getExtension('WEBGL_lose_context')?.loseContext();
}
