"use client";

import "./globals.css";
import { plainAction, PlainPage } from "../components/layout/plain-page.tsx";

/** Stands in for the whole document when even the root layout failed, so it cannot use any provider. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong · Tidings</title>
        <PlainPage
          title="This page couldn't be loaded"
          action={
            <button type="button" onClick={retry} className={plainAction}>
              Try again
            </button>
          }
        >
          Messages are not affected. Try again in a moment.
        </PlainPage>
      </body>
    </html>
  );
}
