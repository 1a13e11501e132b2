// A short flash along an element's edge, to show that something just happened there.

const FLASH_MS = 180;

export function flash(element: HTMLElement, colour: string): void {
  element.animate(
    [{ boxShadow: `inset 0 0 0 3px ${colour}` }, { boxShadow: 'inset 0 0 0 3px transparent' }],
    { duration: FLASH_MS },
  );
}
