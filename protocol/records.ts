// Table of all methods and their records, for code that treats all methods alike.
import { approvalRecords } from './approval-records.ts';
import { consoleRecords } from './console-records.ts';
import { decoder, type Decoder, type ParamsOf, type Schema } from './decoder.ts';
import { environmentRecords } from './environment-records.ts';
import { fileRecords } from './file-records.ts';
import { historyRecords } from './history-records.ts';
import type { MethodRecord, SampleNames, Samples } from './method-record.ts';
import { processRecords } from './process-records.ts';

export const METHODS = {
  ...environmentRecords,
  ...processRecords,
  ...fileRecords,
  ...consoleRecords,
  ...approvalRecords,
  ...historyRecords,
};

type Method = keyof typeof METHODS;

export const METHOD_NAMES = Object.keys(METHODS) as Method[];

export const isMethod = (name: string): name is Method => Object.hasOwn(METHODS, name);

/** Returns a record typed for code that handles any method. The params must come from that method's decoder. */
export const recordOf = (method: Method): MethodRecord<Schema, object> =>
  METHODS[method] as unknown as MethodRecord<Schema, object>;

export const decoders = Object.fromEntries(
  METHOD_NAMES.map((method) => [method, decoder(METHODS[method].params)]),
) as { readonly [M in Method]: Decoder<ParamsOf<(typeof METHODS)[M]['params']>> };

export const samplesOf = (names: SampleNames) =>
  Object.fromEntries(METHOD_NAMES.map((method) => [method, METHODS[method].samples(names)])) as {
    readonly [M in Method]: Samples;
  };

/** Requests that agents usually send first. */
const FIRST_CALLED = ['initialize', 'process/start', 'process/read', 'process/write'] as const;

/**
 * Compiles the schemas of the usual first requests, which takes up to 1.5 ms each, so that no client waits for
 * that.
 */
export function readyDecoders(): void {
  const samples = samplesOf({ key: '', processId: '', folder: 'file:///' });
  for (const method of FIRST_CALLED) {
    const decoded = decoders[method](samples[method].own);
    if (!decoded.ok) throw new Error(`invariant violation: ${method}: ${decoded.reason}`);
  }
}
