// HTTP responses, all with the headers that restrict what a browser may do with them.
import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isIP, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { isLoopbackName } from '../../policy/own-names.ts';
import type { StaticFile } from './static-files.ts';

/** Returns the content security policy of a page; `inlineScripts` are the hashes of its own inline scripts. */
const contentPolicy = (inlineScripts: readonly string[]): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScripts].join(' '),
    // xterm.js sets styles on its own elements.
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // The page creates neither code nor markup from text, so browsers may reject both; its only policy creates the URL
    // of its service worker.
    "require-trusted-types-for 'script'",
    'trusted-types notification-worker',
  ].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': contentPolicy([]),
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** HSTS for a month in seconds, which is the lifetime of a page's credential. */
const TLS_ONLY = 'max-age=2592000';

export function setSecurityHeaders(
  response: ServerResponse,
  { host = '', isTls }: { host?: string | undefined; isTls: boolean },
): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  // HSTS applies to all ports of a name, so it is not sent for a name that all programs of a machine share.
  const name = host.toLowerCase().replace(/:\d+$/, '');
  if (isTls && !isLoopbackName(name) && isIP(name) === 0 && !name.startsWith('['))
    response.setHeader('strict-transport-security', TLS_ONLY);
}

export function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

export function end(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

export function sendFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  if (file.inlineScripts.length > 0)
    response.setHeader('content-security-policy', contentPolicy(file.inlineScripts));
  response.setHeader('content-type', file.type);
  response.setHeader('etag', file.etag);
  response.setHeader('cache-control', file.cacheControl);
  response.setHeader('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304).end();
    return;
  }
  sendBody(request, response, file);
}

function sendBody(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  const asPacked = file.isPacked && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
  if (asPacked) response.setHeader('content-encoding', 'br');
  response.writeHead(200, { 'content-length': asPacked ? file.body.length : file.bytes });
  if (request.method === 'HEAD') response.end();
  else if (asPacked || !file.isPacked) response.end(file.body);
  else
    unpack(file).then(
      (body) => response.end(body),
      (error: Error) => response.destroy(error),
    );
}

/** Sends the script of a service worker, even for a matching ETag, which another program may have set. */
export function sendWorker(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  response.setHeader('content-type', file.type);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('vary', 'accept-encoding');
  // Browsers reject an update to a worker whose scope is wider than its script's path, unless this header allows that
  // scope.
  response.setHeader('service-worker-allowed', '/');
  sendBody(request, response, file);
}

/**
 * Decompressed files for clients that do not accept brotli, among them browsers over plain HTTP unless the host is
 * local. Each file is decompressed once for all of them and stays in memory: the page's files total about 2 MB.
 */
const unpacked = new WeakMap<StaticFile, Promise<Buffer>>();

function unpack(file: StaticFile): Promise<Buffer> {
  const body = unpacked.get(file) ?? promisify(brotliDecompress)(file.body);
  unpacked.set(file, body);
  return body;
}

/** Returns a response for an upgrade to an unsupported protocol, so that the request is handled as plain HTTP/1.1. */
export function answerOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The socket of an upgrade is always a network socket, despite its type.
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  return response;
}

/** Sends a refusal on a socket that requested an upgrade. */
export function refuse(socket: Duplex, status: number, text: string): void {
  const headers = {
    ...SECURITY_HEADERS,
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // The gateway does not wait for a refused client to close.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}
