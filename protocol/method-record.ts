// The shape of a method's record: everything about a method except its handler.
import type { ParamsOf, Schema } from './decoder.ts';
import type { Seen } from './seen.ts';
import type { Role } from './session.ts';

/** The roles that may call a method about their own session (or about nothing in particular), and about any process. */
export interface RoleRule {
  readonly own: readonly Role[];
  readonly any: readonly Role[];
}

export const everybody: readonly Role[] = ['agent', 'observer', 'operator', 'admin'];
export const owners: readonly Role[] = ['agent', 'operator', 'admin'];
export const observers: readonly Role[] = ['observer', 'operator', 'admin'];
export const operators: readonly Role[] = ['operator', 'admin'];
export const admins: readonly Role[] = ['admin'];

/** Carries the type of a result; there is nothing in it. */
export interface ResultType<R> {
  readonly type?: R;
}

export const result = <R>(): ResultType<R> => ({});

export type Empty = Record<string, never>;

/** All members that a union of objects can have; one that is not there is undefined. */
type Members<T> = {
  readonly [K in T extends unknown ? keyof T : never]: T extends unknown
    ? K extends keyof T
      ? T[K]
      : undefined
    : never;
};

/** The audit's words for a request. */
export interface ActWords {
  readonly act: string;
  /** Default: the process that the params name. */
  readonly key?: string | undefined;
  /** Secrets in texts are covered, and long texts are cut. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Members of `details` that are kept in another way than texts: an address without its query and its user. */
  readonly kept?: Readonly<Record<string, 'commandLine' | 'address'>>;
}

/** The names that sample params use. */
export interface SampleNames {
  readonly key: string;
  readonly processId: string;
  /** A file URI. */
  readonly folder: string;
}

/** Params that the decoder takes, for tests that go over all methods. */
export interface Samples {
  /** Params about the caller's own session, or about nothing in particular. */
  readonly own?: object;
  /** Params about any process. */
  readonly any?: object;
  /**
   * Params for a fuzzer that mutates them a hundred thousand times: they end no process that exists, create no token, and
   * change nothing outside `folder`. Default: `any`, else `own`.
   */
  readonly harmless?: object;
}

/** S: the schema of the params; R: the result. */
export interface MethodRecord<S extends Schema, R> {
  readonly params: S;
  readonly result: ResultType<R>;
  readonly roles: RoleRule;
  /**
   * The member that names the one process of a guest: `keys` is cut down to it, and a request by `nothing` is about no
   * process. Null: the method does not exist for a guest.
   */
  readonly guest: 'key' | 'keys' | 'nothing' | null;
  /** The members of the result that observers and guests get. Null: none. */
  readonly seen: Seen<R> | null;
  /**
   * Null for a request that needs no accountability: it only reads, or it is part of one that is in the audit log.
   * `counted`: the bytes of its `chunk` are counted. The result has no members when the request failed, or is waiting.
   */
  readonly audit:
    ((params: Members<ParamsOf<S>>, result: Partial<Members<R>>) => ActWords | null) | 'counted' | null;
  /** Acts that a client can repeat without end: they are recorded only so often. `visits` change nothing. */
  readonly repeatable?: { readonly visits?: readonly string[]; readonly acts?: readonly string[] };
  readonly samples: (names: SampleNames) => Samples;
}

/** Returns the record unchanged, so that the compiler infers S and R. */
export const method = <S extends Schema, R>(record: MethodRecord<S, R>): MethodRecord<S, R> => record;

/** Samples of a method that takes either address. */
export const both =
  (more: object) =>
  ({ key, processId }: SampleNames): Samples => ({ own: { processId, ...more }, any: { key, ...more } });

/** The same as `both`, for a method that can end the process. */
export const bothEnding =
  (more: object) =>
  (names: SampleNames): Samples => ({
    ...both(more)(names),
    harmless: { processId: names.processId, ...more },
  });
