// Method records of console/*: the list, usage, tiles and search, the audit log, tokens and shares.
import * as access from './access.ts';
import * as audit from './audit.ts';
import * as ours from './console.ts';
import * as looks from './looks.ts';
import { admins, method, observers, operators, result, type Empty } from './method-record.ts';
import { noParams } from './scalars.ts';
import { each, only, shown } from './seen.ts';
import { WATCH_RESULT } from './seen-shapes.ts';

const overview = { own: observers, any: [] };
const oneKey = ({ key }: { readonly key: string }) => ({ own: { keys: [key] } });
const nothing = () => ({ own: {} });
const noSuchId = () => ({ own: { id: 'none' } });

export const consoleRecords = {
  'console/usage': method({
    params: ours.usageParams,
    result: result<{ readonly supported: boolean }>(),
    roles: overview,
    guest: 'keys',
    seen: only<{ readonly supported: boolean }>({ supported: shown }),
    audit: null,
    samples: oneKey,
  }),
  'console/tiles': method({
    params: ours.tilesParams,
    result: result<Empty>(),
    roles: overview,
    guest: 'keys',
    seen: only<Empty>({}),
    audit: null,
    samples: oneKey,
  }),
  'console/look': method({
    params: ours.lookParams,
    result: result<Empty>(),
    roles: overview,
    guest: 'keys',
    seen: only<Empty>({}),
    audit: null,
    samples: ({ key }) => ({ own: { keys: [key] }, harmless: { keys: [key], isHidden: false } }),
  }),
  'console/search': method({
    params: ours.searchParams,
    result: result<looks.SearchResult>(),
    roles: overview,
    guest: 'keys',
    seen: only<looks.SearchResult>({
      hits: each(only<looks.SearchHit>({ key: shown, offset: shown, text: shown, start: shown, end: shown })),
      searchedBytes: shown,
      isComplete: shown,
    }),
    audit: null,
    samples: ({ key }) => ({
      own: { query: 'e', keys: [key] },
      harmless: { query: 'x', regex: false },
    }),
  }),
  'console/watch': method({
    params: ours.watchParams,
    result: result<ours.WatchResult>(),
    roles: overview,
    guest: 'nothing',
    seen: WATCH_RESULT,
    audit: null,
    samples: () => ({ own: {}, harmless: { sinceChange: 0 } }),
  }),
  'console/unwatch': method({
    params: ours.unwatchParams,
    result: result<Empty>(),
    roles: overview,
    guest: 'nothing',
    seen: only<Empty>({}),
    audit: null,
    samples: nothing,
  }),
  'console/audit': method({
    params: audit.auditParams,
    result: result<audit.AuditResult>(),
    roles: { own: operators, any: operators },
    guest: null,
    seen: null,
    audit: null,
    samples: ({ key }) => ({ own: {}, any: { key }, harmless: { limit: 1 } }),
  }),
  'console/tokens': method({
    params: noParams,
    result: result<access.TokensResult>(),
    roles: { own: admins, any: [] },
    guest: null,
    seen: null,
    audit: null,
    samples: nothing,
  }),
  'console/createToken': method({
    params: access.createTokenParams,
    result: result<access.CreateTokenResult>(),
    // The handler lets operators create tokens for agents only.
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: ({ name, role }, { id, expiresAtMs }) => ({
      act: 'createToken',
      details: { id, name, role, expiresAtMs },
    }),
    samples: () => ({
      own: { name: 'sample', role: 'agent', ttlMs: 1000 },
      harmless: { name: 'harmless', role: 'none' },
    }),
  }),
  'console/revokeToken': method({
    params: access.revokeTokenParams,
    result: result<Empty>(),
    roles: { own: admins, any: [] },
    guest: null,
    seen: null,
    audit: ({ id }) => ({ act: 'revokeToken', details: { id } }),
    samples: noSuchId,
  }),
  'console/share': method({
    params: access.shareParams,
    result: result<access.ShareResult>(),
    roles: { own: operators, any: operators },
    guest: null,
    seen: null,
    audit: ({ key }, { id, expiresAtMs }) => ({ act: 'share', key, details: { id, expiresAtMs } }),
    samples: ({ key }) => ({
      own: { ttlMs: 1000 },
      any: { key, ttlMs: 1000 },
      harmless: { key: 'none' },
    }),
  }),
  'console/shares': method({
    params: noParams,
    result: result<access.SharesResult>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: null,
    samples: nothing,
  }),
  'console/revokeShare': method({
    params: access.revokeShareParams,
    result: result<Empty>(),
    roles: { own: operators, any: [] },
    guest: null,
    seen: null,
    audit: ({ id }) => ({ act: 'revokeShare', details: { id } }),
    samples: noSuchId,
  }),
};
