// One bundler for both: the page into dist/web, and with --ssr the gateway into dist/server/main.js for plain Node.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { notices } from './scripts/third-party.mjs';

/** URL of the gateway that `npm run dev` has started. */
const gateway = process.env['EXEC_CONSOLE_DEV_GATEWAY'] ?? 'http://127.0.0.1:7421';

/**
 * Writes compressed files beside each text of the page for the gateway to send: the best compression is too slow for
 * its start.
 */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir }) {
    for (const entry of readdirSync(dir ?? '', { recursive: true, withFileTypes: true })) {
      if (!/\.(js|css|html|md|svg|webmanifest)$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
    }
  },
};

/** Packages behind `/metrics`, loaded with the first request for it. */
const PROMETHEUS = ['prom-client', '@opentelemetry/api', 'tdigest', 'bintrees'];

/** Packages behind the JSON log, loaded when that is enabled. */
const JSON_LOG = [
  'pino',
  '@pinojs/redact',
  'atomic-sleep',
  'on-exit-leak-free',
  'pino-std-serializers',
  'process-warning',
  'quick-format-unescaped',
  'real-require',
  'safe-stable-stringify',
  'sonic-boom',
  'thread-stream',
];

export default defineConfig(({ isSsrBuild }) =>
  isSsrBuild
    ? {
        // Bundled packages, without their unused parts and loaded as one module: an idle gateway takes 7 MB less.
        ssr: { noExternal: ['ws', 'zod', 'smol-toml', ...PROMETHEUS, ...JSON_LOG] },
        plugins: [notices],
        build: {
          outDir: 'dist/server',
          target: 'node20',
          sourcemap: true,
          rollupOptions: {
            input: {
              main: 'server/entry.ts',
              server: 'server/server.ts',
              'client/node': 'client/node/connect.ts',
              'client/browser': 'client/browser-client.ts',
              keeper: 'server/keeper/program/keeper-entry.ts',
              'file-helper': 'server/methods/files/file-helper-entry.ts',
              'sandbox-as-user': 'server/host/sandbox/as-user-entry.ts',
              'history-thread': 'server/history/history-thread.ts',
              'replay-thread': 'server/replay/replay-thread.ts',
              'screens-thread': 'server/screens/screens-thread.ts',
              'search-thread': 'server/screens/search-thread.ts',
              'usage-thread': 'server/monitor/usage-thread.ts',
              'waiting-thread': 'server/monitor/waiting-thread.ts',
            },
            // All files are in one folder: code that starts a thread finds its file there.
            output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
          },
        },
        publicDir: false,
      }
    : {
        root: 'web',
        publicDir: '../public',
        // The base is relative, so that the page also works below a path.
        base: './',
        plugins: [react(), compressed, notices],
        build: {
          outDir: '../dist/web',
          emptyOutDir: true,
          target: 'es2023',
          assetsInlineLimit: 0,
          chunkSizeWarningLimit: 1000,
          rollupOptions: {
            input: { index: 'web/index.html', worker: 'web/worker/worker-entry.ts' },
            output: {
              // A service worker's scope is its folder: no page lies in this one.
              entryFileNames: ({ name }) =>
                name === 'worker' ? 'notifications/worker.js' : 'assets/[name]-[hash].js',
            },
          },
        },
        server: {
          host: '127.0.0.1',
          // The page's own socket is on /, so Vite's is on another path, and the rest of / is the page.
          hmr: { path: '/__hmr' },
          proxy: {
            '/auth': { target: gateway },
            '^/$': {
              target: gateway,
              ws: true,
              bypass: ({ headers, url }) => (headers.upgrade === undefined ? url : undefined),
            },
          },
          // Vite would serve any file of the repository, the gateway's sources too.
          fs: { allow: ['.', '../docs', '../protocol', '../text', '../client', '../node_modules'] },
        },
      },
);
