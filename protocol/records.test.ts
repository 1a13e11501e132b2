// The methods' records, checked for consistency.
import { describe, expect, it } from 'vitest';
import { decoders, METHOD_NAMES, recordOf, samplesOf } from './records.ts';

const samples = samplesOf({ key: 'k', processId: 'p', folder: 'file:///tmp' });
const forObservers = METHOD_NAMES.filter((method) => {
  const { own, any } = recordOf(method).roles;
  return own.includes('observer') || any.includes('observer');
});

describe('The record', () => {
  it.each(METHOD_NAMES)('has samples that its own schema accepts: %s', (method) => {
    const { own, any } = samples[method];
    for (const params of [own, any].filter((each) => each !== undefined))
      expect(decoders[method](params)).toMatchObject({ ok: true });
  });

  it.each(METHOD_NAMES)('has a sample for each kind of address that some role may use: %s', (method) => {
    const { own, any } = recordOf(method).roles;
    expect([samples[method].own !== undefined, samples[method].any !== undefined]).toEqual([
      own.length > 0,
      any.length > 0,
    ]);
  });

  it('lists the members for observers exactly when observers may call the method', () => {
    expect(METHOD_NAMES.filter((method) => recordOf(method).seen !== null)).toEqual(forObservers);
  });

  it('allows guests to call only what observers may call', () => {
    const forGuests = METHOD_NAMES.filter((method) => recordOf(method).guest !== null);
    expect(forGuests.filter((method) => !forObservers.includes(method))).toEqual([]);
    expect(forGuests.length).toBeLessThan(forObservers.length);
  });

  it.each(METHOD_NAMES)('names the param with the process of a guest: %s', (method) => {
    const { guest } = recordOf(method);
    const params = Object.keys({ ...samples[method].own, ...samples[method].any });
    const names = params.filter((name) => name === 'key' || name === 'keys');
    if (guest !== null) expect(names).toEqual(guest === 'nothing' ? [] : [guest]);
  });
});

/** Returns copies of the params, each with one file path or HTTP address lengthened by `more` characters. */
function withLongPlaces(value: unknown, more: number): unknown[] {
  if (typeof value === 'string') return /^(?:file|http):/.test(value) ? [value + '/a'.repeat(more / 2)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    withLongPlaces(each, more).map((longer) =>
      Array.isArray(value) ? value.with(Number(name), longer) : { ...value, [name]: longer },
    ),
  );
}

describe('a path or an address', () => {
  it.each(METHOD_NAMES)('[LI1] may be as long as the system allows, but no longer: %s', (method) => {
    const { own, any } = samples[method];
    for (const params of [own, any]) {
      for (const long of withLongPlaces(params, 12_000))
        expect(decoders[method](long)).toMatchObject({ ok: true });
      for (const long of withLongPlaces(params, 100_000))
        expect(decoders[method](long)).toMatchObject({
          ok: false,
          reason: expect.stringMatching(/is longer than (16,384|65,536) characters/),
        });
    }
  });

  it('[LI1] has no more headers than a server would accept', () => {
    const request = samples['http/request'].own;
    const given = (count: number, chars: number): unknown => ({
      ...request,
      headers: Array.from({ length: count }, () => ({ name: 'x', value: 'v'.repeat(chars) })),
    });
    const decode = decoders['http/request'];
    expect([decode(given(1000, 200)).ok, decode(given(1001, 1)).ok, decode(given(10, 30_000)).ok]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
