// Service worker for notifications in this browser: registered while the person wants buttons, otherwise unregistered.
const SCRIPT = new URL('./notifications/worker.js', document.baseURI).href;
const SCOPE = new URL('./', SCRIPT).href;
const BASE = new URL('../', SCRIPT).href;

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

/**
 * The page's only Trusted Types policy, for one URL. It is created on load because a policy name can be used only
 * once.
 */
const policy: ScriptPolicy = (() => {
  const rules: ScriptPolicy = {
    createScriptURL: (url) => {
      if (url !== SCRIPT) throw new TypeError('the script URL is not that of the service worker');
      return url;
    },
  };
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy('notification-worker', rules) ?? rules;
})();

/** Returns why notifications cannot have buttons here; null when they can. */
export function whyNoButtons(): string | null {
  if (!window.isSecureContext) return 'Buttons require https or a localhost address.';
  const { maxActions = 0 } = ('Notification' in window ? Notification : {}) as {
    readonly maxActions?: number;
  };
  if (!('serviceWorker' in navigator) || maxActions < 2)
    return 'This browser does not support buttons in notifications.';
  return null;
}

export interface Registered {
  readonly registration: ServiceWorkerRegistration;
  readonly worker: ServiceWorker;
}

/**
 * Registers the worker, makes the browser compare its script with the gateway's, and resolves once the
 * gateway's script is active. A worker left by another program at this address is replaced, and its
 * notifications are closed. Rejects when the browser or the gateway does not allow it.
 */
export async function registerWorker(): Promise<Registered> {
  const { serviceWorker } = navigator;
  const url = policy.createScriptURL(SCRIPT);
  const registration = await serviceWorker.register(url, { scope: SCOPE, updateViaCache: 'none' });
  await registration.update();
  const replacement = registration.installing ?? registration.waiting;
  const worker = replacement ?? registration.active;
  if (!worker) throw new Error('the browser did not start the service worker');
  await activated(worker);
  if (replacement) for (const shown of await registration.getNotifications()) shown.close();
  return { registration, worker };
}

function activated(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (worker.state === 'activated') resolve();
      else if (worker.state === 'redundant') reject(new Error('the browser refused the service worker'));
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

/** Removes every service worker below the page's URL, including those left by other programs. */
export async function unregisterWorkers(): Promise<void> {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return;
  const all = await navigator.serviceWorker.getRegistrations();
  await Promise.all(all.filter(({ scope }) => scope.startsWith(BASE)).map((each) => each.unregister()));
}
