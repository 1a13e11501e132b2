// The part of integrity.mjs that Vite's configuration uses.
import type { Plugin } from 'vite';

export const integrity: Plugin;
