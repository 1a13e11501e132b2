// A hostile page's attempts against an open console, by the means that a browser has to reach another site.

export interface Target {
  /** Origin of the gateway, as addressed by this page. */
  readonly origin: string;
  /** A stolen token, which must not work from here. */
  readonly token: string;
  /** The code of an unused link. */
  readonly code: string;
}

/**
 * Runs in the page, so it must be self-contained. Resolves with the results that the page can see, by attempt. Each
 * attempt has a unique address, so that the browser can't reuse the response to another.
 */
export async function attack({ origin, token, code }: Target): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  const bearer = { authorization: `Bearer ${token}` };
  const tries: Promise<void>[] = [];
  const attempt = (name: string, work: (address: (path: string) => string) => Promise<string>): void => {
    const address = (path: string): string => `${origin}${path}?${name}`;
    const outcome = work(address).catch((error: unknown) => (error as Error).name);
    tries.push(outcome.then((result) => void (seen[name] = result)));
  };

  const socket = (name: string, protocols: string[], path = '/'): void =>
    attempt(name, (address) => {
      const url = address(path).replace('http', 'ws');
      return new Promise((resolve) => {
        const opened = new WebSocket(path === '/' ? url : `${url}&token=${token}`, protocols);
        opened.addEventListener('open', () => resolve('open'));
        opened.addEventListener('close', (event) => resolve(`closed ${event.code}`));
      });
    });
  socket('socket-bare', []);
  socket('socket-guess', ['exec-console.v1', 'exec-console.token.guessed']);
  socket('socket-stolen', ['exec-console.v1', `exec-console.token.${token}`]);
  socket('socket-stolen-in-address', [], '/x');

  const ask = (name: string, path: string, options: RequestInit): void =>
    attempt(name, async (address) => {
      const response = await fetch(address(path), options);
      return `${response.type} ${response.status}`;
    });
  ask('fetch-page', '/', {});
  ask('fetch-page-opaque', '/', { mode: 'no-cors', credentials: 'include' });
  ask('fetch-status', '/status', { headers: bearer, credentials: 'include' });
  ask('fetch-health-opaque', '/healthz', { mode: 'no-cors' });
  const exchange = { method: 'POST', body: JSON.stringify({ code }) };
  ask('fetch-exchange', '/auth/exchange', exchange);
  ask('fetch-exchange-opaque', '/auth/exchange', { ...exchange, mode: 'no-cors', credentials: 'include' });
  ask('fetch-link', '/auth/link', { method: 'POST', headers: bearer });
  attempt('beacon', (address) =>
    Promise.resolve(navigator.sendBeacon(address('/auth/exchange'), exchange.body) ? 'queued' : 'not sent'),
  );

  const embed = (name: string, path: string, tag: string, attributes: Record<string, string>): void =>
    attempt(name, (address) => {
      const element = document.createElement(tag);
      return new Promise((resolve) => {
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('error'));
        for (const [attribute, value] of Object.entries(attributes))
          element.setAttribute(attribute, value.replace('ADDRESS', address(path)));
        document.body.append(element);
      });
    });
  embed('script', '/', 'script', { src: 'ADDRESS' });
  embed('module', '/', 'script', { src: 'ADDRESS', type: 'module' });
  embed('image', '/favicon.svg', 'img', { src: 'ADDRESS' });
  embed('style', '/', 'link', { rel: 'stylesheet', href: 'ADDRESS' });

  attempt('worker', async (address) => typeof new Worker(address('/')));
  attempt('service-worker', async (address) => {
    await navigator.serviceWorker.register(address('/sw.js'));
    return 'registered';
  });

  const frames: Record<string, HTMLElement> = {};
  for (const [tag, attribute] of [
    ['iframe', 'src'],
    ['object', 'data'],
    ['embed', 'src'],
  ] as const) {
    const element = document.createElement(tag);
    element.setAttribute(attribute, `${origin}/?frame-${tag}`);
    frames[tag] = document.body.appendChild(element);
  }
  const post = (name: string, path: string, fields: Record<string, string>): void => {
    const frame = document.createElement('iframe');
    frame.name = name;
    const form = document.createElement('form');
    Object.assign(form, {
      method: 'POST',
      action: `${origin}${path}?${name}`,
      target: name,
      enctype: 'text/plain',
    });
    for (const [key, value] of Object.entries(fields)) {
      const field = document.createElement('input');
      Object.assign(field, { name: key, value });
      form.append(field);
    }
    document.body.append(frame, form);
    form.submit();
  };
  // A form sent as text/plain can build a JSON body from a field's name and value.
  post('form-exchange', '/auth/exchange', { [`{"code":"${code}","x":"`]: '"}' });
  post('form-link', '/auth/link', {});
  await Promise.all(tries);
  return seen;
}
