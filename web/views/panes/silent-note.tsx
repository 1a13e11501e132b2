// Note in a pane that shows no output, centred in the visible part of its terminal.
import { useEffect, useRef, type ReactNode } from 'react';

export function SilentNote({ children }: { readonly children: ReactNode }) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = note.current;
    const body = element?.parentElement;
    if (!element || !body) return;
    const screen = body.querySelector('.xterm-screen');
    const place = (): void => {
      const whole = body.getBoundingClientRect();
      const own = screen?.getClientRects()[0] ?? whole;
      const [left, right] = [Math.max(whole.left, own.left), Math.min(whole.right, own.right)];
      const [top, bottom] = [Math.max(whole.top, own.top), Math.min(whole.bottom, own.bottom)];
      element.style.left = `${(left + right) / 2 - whole.left}px`;
      element.style.top = `${(top + bottom) / 2 - whole.top}px`;
    };
    const observer = new ResizeObserver(place);
    // Observe all three elements: moving the terminal changes only its padding, not the size of its screen.
    for (const each of [body, screen, screen?.closest('.xterm')]) if (each) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return (
    <p ref={note} className="pane-silent">
      {children}
    </p>
  );
}
