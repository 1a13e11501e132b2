// Requests of every method, each with one long text or one additional long member.
import type { SampleNames } from '../../protocol/method-record.ts';
import type { RequestMethod } from '../../protocol/methods.ts';
import { samplesOf } from '../../protocol/records.ts';

type Json = { [name: string]: unknown };

/**
 * Returns longer variants of a file URI, an HTTP address or another text that are accepted in its place.
 */
function longer(text: string, long: string): string[] {
  if (text.startsWith('file:///')) return [`${text}?${long}`, `${text}#${long}`, `${text}/${long}`];
  if (text.startsWith('http:')) return [`${text}?${long}`, `${text}${long}`];
  return [long, `${text} ${long}`];
}

/** Returns copies of a value, in each of which one text is longer. */
function variants(value: unknown, long: string): unknown[] {
  if (typeof value === 'string') return longer(value, long);
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => variants(each, long).map((other) => value.with(at, other)));
  }
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value).flatMap(([name, each]) =>
    variants(each, long).map((other): Json => ({ ...value, [name]: other })),
  );
  return members;
}

/** Members that a start accepts and its sample does not have. */
const ofStart = (long: string): Json[] => [
  { metadata: { shown: long, [long]: 'shown' } },
  {
    metadata: Object.fromEntries(
      Array.from({ length: 32 }, (_, at) => [`name ${at}`, long.slice(0, long.length / 32)]),
    ),
  },
  { label: long },
  { arg0: long },
  { envPolicy: { exclude: [long], set: { A: long } } },
  { sandbox: { cwd: `file:///tmp?${long}`, permissions: { file_system: { entries: [] }, network: long } } },
];

export interface LargeRequest {
  readonly method: RequestMethod;
  readonly params: Json;
}

/** Returns all large requests of a method; `next` returns a new long text each time. */
export function largeRequests(method: RequestMethod, next: () => string, names: SampleNames): LargeRequest[] {
  const { own, any } = samplesOf(names)[method] as { readonly own?: Json; readonly any?: Json };
  const members = (long: string): Json[] => [
    { nobodyReads: long },
    ...(method === 'process/start' ? ofStart(long) : []),
    ...(method === 'process/control' ? [{ to: long }] : []),
  ];
  return [own, any].flatMap((params) =>
    params
      ? [...variants(params, next()), ...members(next()).map((member) => ({ ...params, ...member }))].map(
          (each) => ({ method, params: each as Json }),
        )
      : [],
  );
}
