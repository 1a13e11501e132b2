// The part of integrity.mjs that vite's configuration uses.
import type { Plugin } from 'vite';

export const integrity: Plugin;
