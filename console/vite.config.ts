import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2024',
    // All browsers that the console supports know it; the stand-in would be an inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
});
