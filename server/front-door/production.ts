// Imported before everything else: libraries look at it when they are loaded. `next start` does the same.
// eslint-disable-next-line no-restricted-syntax -- written, not read
(process.env as Record<string, string | undefined>).NODE_ENV ||= "production";
