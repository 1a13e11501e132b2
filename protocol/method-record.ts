// Type of a method record: everything about a method except its handler.
import type { ParamsOf, Schema } from './decoder.ts';
import type { Seen } from './seen.ts';
import type { Role } from './session.ts';

export interface RoleRule {
  /** Roles that may call the method on processes of their own session, or when it addresses no process. */
  readonly own: readonly Role[];
  /** Roles that may call the method on any process, by key. */
  readonly any: readonly Role[];
}

export const everybody: readonly Role[] = ['agent', 'observer', 'operator', 'admin'];
export const owners: readonly Role[] = ['agent', 'operator', 'admin'];
export const observers: readonly Role[] = ['observer', 'operator', 'admin'];
export const operators: readonly Role[] = ['operator', 'admin'];
export const admins: readonly Role[] = ['admin'];

/** Carries the type of a result; always empty at run time. */
export interface ResultType<R> {
  readonly type?: R;
}

export const result = <R>(): ResultType<R> => ({});

export type Empty = Record<string, never>;

/** All members of a union of objects; members missing from one of them are undefined. */
type Members<T> = {
  readonly [K in T extends unknown ? keyof T : never]: T extends unknown
    ? K extends keyof T
      ? T[K]
      : undefined
    : never;
};

/** Audit entry for a request. */
export interface ActWords {
  readonly act: string;
  /** Default: the key of the process that the params name. */
  readonly key?: string | undefined;
  /** Details of the entry; secrets in texts are masked, and long texts are truncated. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Members of `details` recorded in a special form; `address` reduces a URL to its origin and path. */
  readonly forms?: Readonly<Record<string, 'commandLine' | 'address'>>;
}

export interface SampleNames {
  readonly key: string;
  readonly processId: string;
  /** File URI. */
  readonly folder: string;
}

/** Valid sample params, for tests that run through all methods. */
export interface Samples {
  /** Params that name a process by `processId`, or those of a method that addresses no process. */
  readonly own?: object;
  /** Params that name a process by `key`. */
  readonly any?: object;
  /**
   * Params for a fuzzer that mutates them many times: they must not end existing processes, create tokens, or
   * change anything outside `folder`. Default: `any`, else `own`.
   */
  readonly harmless?: object;
}

/** S: schema of the params. R: result. */
export interface MethodRecord<S extends Schema, R> {
  readonly params: S;
  readonly result: ResultType<R>;
  readonly roles: RoleRule;
  /**
   * Param that names a process. A guest of one process may name only that one, and `keys` is reduced to it; a guest
   * of all may name, as `key`, any process of this gateway. `nothing`: no param names a process. Null: guests can't
   * call the method.
   */
  readonly guest: 'key' | 'keys' | 'nothing' | null;
  /** Rules for the result that observers and guests receive. Null: they receive none. */
  readonly seen: Seen<R> | null;
  /**
   * Null for a request that is not audited by its record. `counted`: only the bytes of its `chunk` are counted.
   * `result` is empty if the request failed or is waiting for approval.
   */
  readonly audit:
    ((params: Members<ParamsOf<S>>, result: Partial<Members<R>>) => ActWords | null) | 'counted' | null;
  /**
   * Acts that a client could repeat endlessly; their audit entries are rate-limited. Those of `visits` are
   * also stored separately, so that they cannot evict other entries.
   */
  readonly repeatable?: { readonly visits?: readonly string[]; readonly acts?: readonly string[] };
  readonly samples: (names: SampleNames) => Samples;
}

/** Returns the record unchanged, so that the compiler infers S and R. */
export const method = <S extends Schema, R>(record: MethodRecord<S, R>): MethodRecord<S, R> => record;

/** Returns samples of a method that takes either address. */
export const both =
  (more: object) =>
  ({ key, processId }: SampleNames): Samples => ({ own: { processId, ...more }, any: { key, ...more } });

/** Variant of `both` for a method that can end the process. */
export const bothEnding =
  (more: object) =>
  (names: SampleNames): Samples => ({
    ...both(more)(names),
    harmless: { processId: names.processId, ...more },
  });
