// File helper, which runs file operations in a sandbox or as another user: one JSON line per request and per
// reply.
import { createInterface } from 'node:readline';
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import { fileError } from './file-error.ts';
import { Handles } from './handles.ts';
import type { HelperMessage, HelperReply } from './helper.ts';
import { fileOperations, type FileOperations } from './operations.ts';
import { PrivateInodes, UnknownLink } from './private-places.ts';

// The gateway's state is masked here or belongs to another user, so only a hard link could lead to it.
const own = new PrivateInodes();
let operations: FileOperations | null = null;

/** Interval of the heartbeats (empty lines) while an operation runs, far below the time limit of the gateway. */
const BEAT_MS = 1000;

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as HelperMessage;
  if ('limits' in message) {
    operations = fileOperations(message.limits, new Handles(message.limits), own, {
      isOver: () => false,
      // A mount that hangs blocks only this helper, which ends with its connection, so paths need not answer first.
      answering: () => () => Promise.resolve(true),
    });
  } else {
    const beat = setInterval(() => process.stdout.write('\n'), BEAT_MS);
    const reply = await answer(message).finally(() => clearInterval(beat));
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify(reply)}\n`, resolve));
  }
}

async function answer(message: Exclude<HelperMessage, { limits: unknown }>): Promise<HelperReply> {
  const { method, params, links } = message;
  own.links = links;
  try {
    if (!operations) throw new Error('invariant violation: work before limits');
    // The gateway has already decoded the params of this method.
    const operation = operations[method] as (params: unknown) => Promise<unknown>;
    return { result: await operation(params) };
  } catch (error) {
    if (error instanceof UnknownLink) return { unknownLink: error.message };
    const reported = fileError(error);
    const message = reported instanceof Error ? reported.message : String(reported);
    return { error: { code: reported instanceof RpcError ? reported.code : ErrorCode.internal, message } };
  }
}
