// Proofs of exec-console mcp for consecutive messages: each is new, and most need no separate request.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NEXT_PROOF } from '../../protocol/proof.ts';
import { proofUse } from '../policy/admission.ts';
import { Challenges } from '../policy/challenges.ts';
import { Tokens } from '../policy/tokens.ts';
import { McpGateway } from './mcp-gateway.ts';

type Answer = (response: ServerResponse) => void;

const DONE = JSON.stringify({ id: 1, result: { protocolVersion: '2025-11-25' } });

/** Starts a gateway that only proves itself and checks proofs; returns what it received, and functions to use it. */
async function pair() {
  const dir = mkdtempSync(join(tmpdir(), 'exec-console-next-proof-'));
  const tokens = new Tokens(dir);
  let challenges = new Challenges(tokens);
  const { token } = tokens.create({ name: 'bot', role: 'agent', ttlMs: null });
  const seen = { challenges: 0, proofs: [] as string[], refused: 0 };
  let answer: Answer = (response) => void response.end(DONE);
  let hold = (): void => undefined;
  const held = new Promise<void>((resolve) => (hold = resolve));
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url ?? '', 'http://gateway');
    const [id, nonce] = [url.searchParams.get('id') ?? '', url.searchParams.get('nonce') ?? ''];
    if (url.pathname === '/auth/challenge') {
      seen.challenges += 1;
      response.end(JSON.stringify(challenges.challenge(id, nonce)));
      return;
    }
    const { method = '', headers } = request;
    const proof = headers.authorization?.replace('Proof ', '') ?? '';
    const use = proofUse({ method, url: url.pathname, headers, isUpgrade: false });
    if (!challenges.verify(proof, { port: 0, use })) {
      seen.refused += 1;
      response.writeHead(401).end();
      return;
    }
    seen.proofs.push(proof);
    challenges.bringNext(proof, request.headers, response);
    response.setHeader('mcp-session-id', 's');
    // Stream that shows the gateway that the client is connected.
    if (request.method === 'GET') {
      response.writeHead(200).flushHeaders();
      hold();
    } else answer(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true });
  });
  await once(server, 'listening');
  const url = new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const address = { url, token, pid: null, fingerprint: () => null };
  const gateway = new McpGateway({ reach: () => Promise.resolve(address), refused: () => undefined });
  const send = async (): Promise<unknown> => {
    const answers: unknown[] = [];
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    await gateway.send(message, new AbortController().signal, (each) => answers.push(each));
    return answers[0];
  };
  await gateway.begin({});
  // `held` resolves when the stream is open; every later request is a message.
  await send();
  await held;
  await send();
  return {
    seen,
    send,
    server,
    answerWith: (next: typeof answer) => (answer = next),
    forget: () => (challenges = new Challenges(tokens)),
  };
}

it('[MC13] successive messages each have a new proof, for the challenge in the last answer', async () => {
  const { seen, send } = await pair();
  const before = seen.challenges;
  for (let count = 0; count < 5; count += 1) expect(await send()).toEqual(JSON.parse(DONE));
  expect(seen.challenges).toBe(before);
  expect(new Set(seen.proofs).size).toBe(seen.proofs.length);
  expect(seen.refused).toBe(0);
});

it('[MC13] a new connection is proved before a message is sent on it', async () => {
  const { seen, send, server } = await pair();
  const before = seen.challenges;
  server.closeIdleConnections();
  // The client detects that its connections were closed only when it processes the next event.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await send()).toEqual(JSON.parse(DONE));
  expect(seen.challenges).toBe(before + 1);
});

it('[MC13] a message that was refused with an expired proof is sent again with a new one', async () => {
  const { seen, send, forget } = await pair();
  const before = seen.challenges;
  forget();
  expect(await send()).toEqual(JSON.parse(DONE));
  expect([seen.challenges, seen.refused]).toEqual([before + 1, 1]);
});

it('[MC13] a challenge that the gateway did not issue is not answered', async () => {
  const { seen, send, answerWith } = await pair();
  const before = seen.challenges;
  answerWith((response) => {
    response.setHeader(NEXT_PROOF.challenge, `${'n'.repeat(75)}.${'p'.repeat(43)}`);
    response.end(DONE);
  });
  await send();
  expect(await send()).toEqual(JSON.parse(DONE));
  expect(seen.challenges).toBe(before + 1);
  expect(seen.refused).toBe(0);
});
