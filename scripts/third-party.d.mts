// The part of third-party.mjs that Vite's configuration uses.
import type { Plugin } from 'vite';

export const notices: Plugin;
