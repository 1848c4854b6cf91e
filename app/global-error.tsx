"use client";

import "./globals.css";

/** Stands in for the whole document when even the root layout failed, so it cannot use any provider. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong · Tidings</title>
        <main className="grid min-h-dvh place-items-center px-6 text-center">
          <div>
            <h1 className="text-xl font-semibold">This page couldn't be loaded</h1>
            <p className="mt-2 text-ink-muted">Messages are not affected. Try again in a moment.</p>
            <button
              type="button"
              onClick={retry}
              className="mt-5 h-8 rounded-md bg-accent px-3 text-sm font-medium text-accent-ink hover:bg-accent-hover"
            >
              Try again
            </button>
          </div>
        </main>
      </body>
    </html>
  );
}
