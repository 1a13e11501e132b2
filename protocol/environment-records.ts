// Method records of initialize, environment/*, environmentConfig/* and http/*.
import { environmentConfigReadParams, type EnvironmentConfig } from './environment-config.ts';
import { httpRequestParams, type HttpResponse } from './http.ts';
import { everybody, method, owners, result } from './method-record.ts';
import { noParams } from './scalars.ts';
import { only, shown } from './seen.ts';
import { ENVIRONMENT_INFO, INITIALIZE_RESULT } from './seen-shapes.ts';
import * as session from './session.ts';

export const environmentRecords = {
  initialize: method({
    params: session.initializeParams,
    result: result<session.InitializeResult>(),
    roles: { own: everybody, any: [] },
    guest: 'nothing',
    seen: INITIALIZE_RESULT,
    audit: null,
    samples: () => ({
      own: { clientName: 'sample' },
      harmless: { clientName: 'harmless', resumeSessionId: 'none' },
    }),
  }),
  'environment/info': method({
    params: noParams,
    result: result<session.EnvironmentInfo>(),
    roles: { own: everybody, any: [] },
    guest: null,
    seen: ENVIRONMENT_INFO,
    audit: null,
    samples: () => ({ own: {} }),
  }),
  'environment/status': method({
    params: noParams,
    result: result<session.EnvironmentStatus>(),
    roles: { own: everybody, any: [] },
    // Pages call this to check whether the connection still works.
    guest: 'nothing',
    seen: only<session.EnvironmentStatus>({ status: shown }),
    audit: null,
    samples: () => ({ own: {} }),
  }),
  'environmentConfig/read': method({
    params: environmentConfigReadParams,
    result: result<EnvironmentConfig>(),
    roles: { own: owners, any: [] },
    guest: null,
    seen: null,
    audit: null,
    samples: ({ folder }) => ({
      own: { cwd: folder, configPaths: [['a']], requirementsPaths: [] },
      harmless: { cwd: 'file:///tmp' },
    }),
  }),
  'http/request': method({
    params: httpRequestParams,
    result: result<HttpResponse>(),
    roles: { own: owners, any: [] },
    guest: null,
    seen: null,
    audit: ({ method: verb, url }) => ({
      act: 'httpRequest',
      details: { method: verb, url },
      forms: { url: 'address' },
    }),
    samples: () => ({
      own: { method: 'GET', url: 'http://127.0.0.1:1/', headers: [], requestId: 'r' },
      harmless: {
        method: 'GET',
        url: 'http://127.0.0.1:9/',
        headers: [{ name: 'a', value: 'b' }],
        requestId: 'r',
      },
    }),
  }),
};
