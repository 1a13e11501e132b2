// Builds the page into dist/web, and with --ssr the gateway into dist/server/main.js for plain Node.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { integrity } from './scripts/integrity.mjs';
import { notices } from './scripts/third-party.mjs';

/** URL of the gateway started by `npm run dev`. */
const gateway = process.env['EXEC_CONSOLE_DEV_GATEWAY'] ?? 'http://127.0.0.1:7421';

/**
 * Writes compressed copies next to the page's text files, since the best compression is too slow for the gateway to
 * perform at its start.
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

/** Makes the program executable, since `npx exec-console` in a clone runs the file itself. */
const executable: Plugin = {
  name: 'executable',
  apply: 'build',
  writeBundle({ dir }) {
    chmodSync(join(dir ?? '', 'main.js'), 0o755);
  },
};

/** Packages for `/metrics`, loaded on the first request. */
const PROMETHEUS = ['prom-client', '@opentelemetry/api', 'tdigest', 'bintrees'];

/** Packages for the JSON log, loaded when it is enabled. */
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
        // Bundling packages as one module without their unused parts saves 7 MB of memory in an idle gateway.
        ssr: { noExternal: ['ws', 'zod', 'smol-toml', ...PROMETHEUS, ...JSON_LOG] },
        plugins: [notices, executable],
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
            // All files must be in one folder, because code that starts a worker thread looks for its file
            // there.
            output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
          },
        },
        publicDir: false,
      }
    : {
        root: 'web',
        publicDir: '../public',
        // A relative base, so that the page also works below a path prefix.
        base: './',
        plugins: [react(), integrity, compressed, notices],
        build: {
          outDir: '../dist/web',
          emptyOutDir: true,
          target: 'es2023',
          assetsInlineLimit: 0,
          chunkSizeWarningLimit: 1000,
          modulePreload: {
            // Links that scripts add later have no hash, so the browser would load their files twice.
            resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
          },
          rollupOptions: {
            input: { index: 'web/index.html', worker: 'web/worker/worker-entry.ts' },
            output: {
              // A service worker's scope is its folder, and this folder contains no page.
              entryFileNames: ({ name }) =>
                name === 'worker' ? 'notifications/worker.js' : 'assets/[name]-[hash].js',
              // One script for everything that the page loads at first: each further script costs a request.
              codeSplitting: { groups: [{ name: 'page', test: /\/web\/main\.tsx$/ }] },
            },
          },
        },
        server: {
          host: '127.0.0.1',
          // The page's socket is at /, so Vite's gets another path.
          hmr: { path: '/__hmr' },
          proxy: {
            '/auth': { target: gateway },
            '^/$': {
              target: gateway,
              ws: true,
              bypass: ({ headers, url }) => (headers.upgrade === undefined ? url : undefined),
            },
          },
          // Restricts file access: Vite would otherwise serve any file of the repository, including the
          // gateway's sources.
          fs: { allow: ['.', '../docs', '../protocol', '../text', '../client', '../node_modules'] },
        },
      },
);
