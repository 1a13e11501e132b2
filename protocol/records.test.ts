// The records of the methods, compared with each other.
import { describe, expect, it } from 'vitest';
import { decoders, METHOD_NAMES, recordOf, samplesOf } from './records.ts';

const samples = samplesOf({ key: 'k', processId: 'p', folder: 'file:///tmp' });
const forObservers = METHOD_NAMES.filter((method) => {
  const { own, any } = recordOf(method).roles;
  return own.includes('observer') || any.includes('observer');
});

describe('The record', () => {
  it.each(METHOD_NAMES)('of %s has samples that its own schema accepts', (method) => {
    const { own, any } = samples[method];
    for (const params of [own, any].filter((each) => each !== undefined))
      expect(decoders[method](params)).toMatchObject({ ok: true });
  });

  it.each(METHOD_NAMES)('of %s has a sample for each reach that a role has', (method) => {
    const { own, any } = recordOf(method).roles;
    expect([samples[method].own !== undefined, samples[method].any !== undefined]).toEqual([
      own.length > 0,
      any.length > 0,
    ]);
  });

  it('of a method lists the members for observers exactly when observers may call it', () => {
    expect(METHOD_NAMES.filter((method) => recordOf(method).seen !== null)).toEqual(forObservers);
  });

  it('of a method allows guests only what observers may call', () => {
    const forGuests = METHOD_NAMES.filter((method) => recordOf(method).guest !== null);
    expect(forGuests.filter((method) => !forObservers.includes(method))).toEqual([]);
    expect(forGuests.length).toBeLessThan(forObservers.length);
  });

  it.each(METHOD_NAMES)('of %s names the process for a guest like its params', (method) => {
    const { guest } = recordOf(method);
    const params = Object.keys({ ...samples[method].own, ...samples[method].any });
    const names = params.filter((name) => name === 'key' || name === 'keys');
    if (guest !== null) expect(names).toEqual(guest === 'nothing' ? [] : [guest]);
  });
});
