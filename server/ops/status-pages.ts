// Status pages of the services behind agents. An agent's pages are requested when it starts a process, which does not
// wait for them.

export interface StatusPage {
  /** Name of the agents' tokens. */
  readonly agent: string;
  readonly url: URL;
  readonly component: string;
}

/** Timeout of a request. */
const LOOK_MS = 300;
/** Minimum time between two requests to one page. */
const REST_MS = 60_000;
const BODY_BYTES = 1024 * 1024;

const OPERATIONAL = 'operational';
const WORDS: { readonly [status: string]: string } = {
  degraded_performance: 'degraded performance',
  partial_outage: 'a partial outage',
  major_outage: 'a major outage',
  under_maintenance: 'ongoing maintenance',
};

interface Known {
  readonly page: StatusPage;
  /** Last known status of the component; null until a request has found one. */
  status: string | null;
  lookedAtMs: number;
  isLooking: boolean;
}

export interface StatusPagesOptions {
  /** Called with each changed warning of a page; null when the warning ends. */
  readonly warned: (page: StatusPage, warning: string | null) => void;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

export class StatusPages {
  readonly #known: readonly Known[];
  readonly #warned: StatusPagesOptions['warned'];
  readonly #fetch: typeof fetch;
  readonly #now: () => number;

  constructor(
    pages: readonly StatusPage[],
    { warned, fetch: get = fetch, now = () => performance.now() }: StatusPagesOptions,
  ) {
    this.#known = pages.map((page) => ({
      page,
      status: null,
      lookedAtMs: Number.NEGATIVE_INFINITY,
      isLooking: false,
    }));
    this.#warned = warned;
    this.#fetch = get;
    this.#now = now;
  }

  /** Requests the pages of an agent that has started a process, each at most once per REST_MS. */
  started(agent: string): void {
    for (const known of this.#known) {
      const isDue = !known.isLooking && this.#now() - known.lookedAtMs >= REST_MS;
      if (known.page.agent === agent && isDue) void this.#look(known);
    }
  }

  warnings(agent: string): readonly string[] {
    return this.#known.flatMap(({ page, status }) => (page.agent === agent ? warningOf(page, status) : []));
  }

  /** Requests a page; after a failure, the last known status remains. */
  async #look(known: Known): Promise<void> {
    known.isLooking = true;
    known.lookedAtMs = this.#now();
    const status = await this.#statusOf(known.page).catch(() => null);
    known.isLooking = false;
    if (status === null || status === known.status) return;
    const [before] = warningOf(known.page, known.status);
    known.status = status;
    const [warning] = warningOf(known.page, status);
    if (warning !== before) this.#warned(known.page, warning ?? null);
  }

  async #statusOf({ url, component }: StatusPage): Promise<string | null> {
    const signal = AbortSignal.timeout(LOOK_MS);
    const response = await this.#fetch(url, {
      signal,
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    if (!response.ok || !response.headers.get('content-type')?.includes('json')) {
      await response.body?.cancel();
      return null;
    }
    return statusIn(JSON.parse(await textOf(response)), component);
  }
}

/**
 * Returns the status of the component; null when the body does not list the component. The body is incident.io's, which
 * lists affected components separately, or Statuspage's, which has a status in each component.
 */
function statusIn(body: unknown, component: string): string | null {
  const { components, summary } = members(body);
  const all = listed(summary === undefined ? components : members(summary)['components']);
  const found = all.find(({ name }) => name === component);
  if (!found) return null;
  if (summary === undefined) return textOrNull(found['status']);
  const affected = listed(members(summary)['affected_components']);
  const itself = affected.find(({ component_id: id }) => id === found['id']);
  return itself ? (textOrNull(itself['status']) ?? OPERATIONAL) : OPERATIONAL;
}

type Members = Readonly<Record<string, unknown>>;

const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};
const listed = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(members) : []);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function warningOf({ component, url }: StatusPage, status: string | null): string[] {
  if (status === null || status === OPERATIONAL) return [];
  const words = WORDS[status] ?? 'an unknown problem';
  return [`${component} has ${words}: if an answer stalls, try again later (${url.origin})`];
}

async function textOf({ body: stream }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    size += part.length;
    if (size > BODY_BYTES) throw new Error('the status page is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
