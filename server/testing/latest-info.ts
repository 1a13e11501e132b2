// Latest state of a process that a watching client has received.
import type { ProcessInfo } from '../../protocol/console.ts';
import type { TestClient } from './test-client.ts';

export function latest(client: TestClient, key: string): ProcessInfo | undefined {
  const lists = client.log.flatMap(({ method, params, result }) => {
    if (method === 'console/changed') return [(params?.['processes'] ?? []) as ProcessInfo[]];
    return [(result as { processes?: ProcessInfo[] } | undefined)?.processes ?? []];
  });
  return lists.flat().findLast((info) => info.key === key);
}
