// What the echo of a soak is measured against, in a process of its own: a WebSocket, a program that echoes, no gateway.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (socket) => {
  const child = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
  socket.on('message', (data: Buffer) => child.stdin.write(data));
  socket.on('close', () => child.stdin.end());
  child.stdout.on('data', (data: Buffer) => socket.send(data));
  child.on('close', () => socket.close());
});
process.on('disconnect', () => process.exit(0));
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
