// Tests of the status pages of the services behind agents, in both JSON formats.
import { expect, it } from 'vitest';
import { StatusPages } from './status-pages.ts';

const PAGE = { agent: 'codex', url: new URL('https://status.example/summary'), component: 'Codex' };
const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json; charset=utf-8' } });
const incident = (status?: string): Response =>
  json({
    summary: {
      components: [{ id: 'c', name: 'Codex' }],
      affected_components: status === undefined ? [] : [{ component_id: 'c', status }],
    },
  });
const statuspage = (status: string): Response => json({ components: [{ id: 'c', name: 'Codex', status }] });

function pagesWith(): {
  pages: StatusPages;
  look: (answer: () => Response | Promise<Response>) => Promise<void>;
  warnings: (string | null)[];
  looks: () => number;
} {
  const warnings: (string | null)[] = [];
  let now = 0;
  let looks = 0;
  let answer = (): Response | Promise<Response> => incident();
  const pages = new StatusPages([PAGE], {
    warned: (_, warning) => warnings.push(warning),
    fetch: async () => {
      looks += 1;
      return answer();
    },
    now: () => now,
  });
  const look = async (next: typeof answer): Promise<void> => {
    answer = next;
    now += 60_000;
    pages.started('codex');
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { pages, look, warnings, looks: () => looks };
}

it('[HE2] a status page warns once for each change, and its recovery withdraws the warning', async () => {
  const { pages, look, warnings } = pagesWith();
  await look(() => incident());
  expect(warnings).toEqual([]);
  await look(() => incident('degraded_performance'));
  await look(() => incident('degraded_performance'));
  await look(() => statuspage('major_outage'));
  await look(() => incident('of a new kind'));
  expect(warnings).toEqual([
    'Codex has degraded performance: if an answer stalls, try again later (https://status.example)',
    'Codex has a major outage: if an answer stalls, try again later (https://status.example)',
    'Codex has an unknown problem: if an answer stalls, try again later (https://status.example)',
  ]);
  expect(pages.warnings('codex')).toEqual(warnings.slice(-1));
  expect(pages.warnings('other')).toEqual([]);
  await look(() => incident());
  await look(() => statuspage('operational'));
  expect(warnings.slice(3)).toEqual([null]);
  await look(() => statuspage('major_outage'));
  expect(warnings.slice(4)).toEqual([expect.stringContaining('a major outage')]);
});

it.each<[string, () => Response | Promise<Response>]>([
  ['fails', () => Promise.reject(new Error('no network'))],
  ['answers with an error', () => new Response('{}', { status: 500 })],
  ['is not JSON', () => new Response('<html>')],
  ['is broken', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
  ['has another form', () => json({ components: 'none' })],
  ['does not name the component', () => json({ components: [{ name: 'Other', status: 'major_outage' }] })],
  ['is too long', () => json({ components: [], more: 'x'.repeat(2_000_000) })],
])('[HE2] a status page that %s changes nothing', async (_, answer) => {
  const { look, warnings, pages } = pagesWith();
  await look(() => incident('partial_outage'));
  await look(answer);
  expect(warnings).toHaveLength(1);
  expect(pages.warnings('codex')).toHaveLength(1);
});

it('[HE2] a status page is requested only for its agent, and at most once a minute', async () => {
  const { pages, look, looks } = pagesWith();
  pages.started('other');
  expect(looks()).toBe(0);
  await look(() => incident());
  pages.started('codex');
  expect(looks()).toBe(1);
});

it('[HE2] a status page that does not answer is abandoned', async () => {
  let given = (_reason: unknown): void => {};
  const promise = new Promise((resolve) => {
    given = resolve;
  });
  const pages = new StatusPages([PAGE], {
    warned: () => undefined,
    fetch: (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          given(init.signal?.reason);
          reject(new Error('given up'));
        });
      }),
  });
  pages.started('codex');
  expect(await promise).toMatchObject({ name: 'TimeoutError' });
});
