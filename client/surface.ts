// Exports of the package's client that are the same for Node and browsers; the functions that create clients differ.
export { ConnectionLost, NotOffered, NotOnline, RequestError, SessionLost } from './exec-client.ts';
export type {
  Connection,
  ExecClient,
  Online,
  Output,
  OutputSink,
  Processes,
  RemoteProcess,
  StartRequest,
  WriteOutcome,
} from './exec-client.ts';
export type { Communicated, OwnProcess, ProcessEnd, ProcessEvent } from './own-process.ts';
export type { OwnStartRequest, SessionClient } from './session-client.ts';
export type { ProcessInfo, SessionInfo } from '../protocol/console.ts';
