// Parts of the page that are loaded when they are first shown. A part that cannot be loaded is reported, and
// the rest of the page keeps working.
import { Suspense, use, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { processStore } from '../state/processes/process-store.ts';
import { onceLoaded, type Loading } from '../state/page/once-loaded.ts';
import { showProblem } from '../state/page/page-store.ts';

interface Late<T> {
  /** Subject of the sentence `… could not be loaded`. */
  readonly what: string;
  /** Returns the same promise to all callers until loading has failed. */
  readonly load: () => Loading<T>;
  readonly children: (value: T) => ReactNode;
  readonly fallback?: ReactNode;
  /**
   * Called after a notice when the part could not be loaded. Without it, a message takes the part's place, and a part
   * that failed while the page was offline is loaded again once the page is online.
   */
  readonly onClose?: (() => void) | undefined;
}

/** Shows `fallback` while the part is loading, then `children`; for a part that could not be loaded, see `onClose`. */
export function LatePart<T>({ fallback, ...late }: Late<T>) {
  const [{ loading, attempt }, setTried] = useState(() => ({ loading: late.load(), attempt: 1 }));
  const retry = (): void => setTried({ loading: late.load(), attempt: attempt + 1 });
  return (
    <Suspense fallback={fallback}>
      <Loaded key={attempt} {...late} loading={loading} onRetry={retry} />
    </Suspense>
  );
}

/**
 * Returns a component whose code is loaded when it is first shown. If its code cannot be loaded, the page reports it
 * and calls the property `onClose`; without `onClose`, a message takes the component's place.
 */
export function latePart<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loadOnce = onceLoaded(load);
  return function Late(props: Props) {
    const onClose = 'onClose' in props ? (props.onClose as () => void) : undefined;
    return (
      <LatePart what={what} load={loadOnce} onClose={onClose}>
        {(Part) => <Part {...props} />}
      </LatePart>
    );
  };
}

function Loaded<T>({
  what,
  loading,
  children,
  onClose,
  onRetry,
}: Omit<Late<T>, 'load' | 'fallback'> & { readonly loading: Loading<T>; readonly onRetry: () => void }) {
  const loaded = use(loading);
  return loaded === null ? (
    <Missing what={what} onClose={onClose} onRetry={onRetry} />
  ) : (
    children(loaded.value)
  );
}

function Missing({
  what,
  onClose,
  onRetry,
}: Pick<Late<never>, 'what' | 'onClose'> & { readonly onRetry: () => void }) {
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const [wasOnline] = useState(isOnline);
  const text = wasOnline
    ? `${what} could not be loaded. The gateway may have been updated: reload the page.`
    : `${what} could not be loaded, because the page is not connected.`;
  useEffect(() => {
    if (onClose) {
      showProblem(text);
      onClose();
    } else if (isOnline && !wasOnline) onRetry();
  });
  return onClose ? null : (
    <p role="alert" className="late-part">
      {text}
    </p>
  );
}
