// Validates a request's params against their schema, and formats the error for the client.
import type { z } from 'zod';

/** The params, or a sentence that names the invalid field and the error. */
type Decoded<P> = { readonly ok: true; readonly params: P } | { readonly ok: false; readonly reason: string };
export type Decoder<P> = (params: unknown) => Decoded<P>;

/**
 * Schema of the params; or two, for a method addressed by `processId` (the caller's session) or `key` (any
 * process).
 */
export type Schema = z.ZodType | { readonly own: z.ZodType; readonly byKey: z.ZodType };

export type ParamsOf<S extends Schema> = S extends { own: z.ZodType; byKey: z.ZodType }
  ? z.output<S['own']> | z.output<S['byKey']>
  : z.output<S>;

export function decoder<S extends Schema>(schema: S): Decoder<ParamsOf<S>> {
  return ('own' in schema ? addressed(schema.own, schema.byKey) : checked(schema)) as Decoder<ParamsOf<S>>;
}

function checked(schema: z.ZodType): Decoder<unknown> {
  return (params) => {
    const parsed = schema.safeParse(params);
    return parsed.success ? { ok: true, params: parsed.data } : { ok: false, reason: explain(parsed.error) };
  };
}

function explain(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'params are not valid';
  const field = issue.path.length > 0 ? `params.${issue.path.join('.')}` : 'params';
  return `${field}: ${issue.message}`;
}

function addressed(own: z.ZodType, byKey: z.ZodType): Decoder<unknown> {
  const decodeOwn = checked(own);
  const decodeByKey = checked(byKey);
  return (params) => {
    const given = typeof params === 'object' && params !== null ? params : {};
    if (!('key' in given)) return decodeOwn(params);
    if ('processId' in given) return { ok: false, reason: 'params: send either processId or key, not both' };
    return decodeByKey(params);
  };
}
