// Describes a policy for people.
import type { Policy } from './policy.ts';

/**
 * Returns, for example, `writes to /shop and /tmp; not to /shop/.git; cannot see /shop/.env; no network`.
 * `hidden`: paths that are not mentioned.
 */
export function inWords({ grants, denied, network }: Policy, hidden: readonly string[]): string {
  const [root, ...inner] = grants;
  const written = inner.filter(({ access }) => access === 'write').map(({ path }) => path);
  const readOnly = inner.filter(({ access }) => access === 'read').map(({ path }) => path);
  const unseen = denied.map(({ path }) => path).filter((path) => !hidden.includes(path));
  const writes =
    root?.access === 'write'
      ? 'writes everywhere'
      : written.length > 0
        ? `writes to ${listed(written)}`
        : 'read-only';
  return [
    writes,
    ...(readOnly.length > 0 ? [`not to ${listed(readOnly)}`] : []),
    ...(unseen.length > 0 ? [`cannot see ${listed(unseen)}`] : []),
    network === 'restricted' ? 'no network' : 'network',
  ].join('; ');
}

/** Maximum number of named paths; further ones are counted. */
const NAMED = 6;

function listed(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED);
  const more = paths.length - named.length;
  const all = more > 0 ? [...named, `${more} more`] : named;
  return all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
