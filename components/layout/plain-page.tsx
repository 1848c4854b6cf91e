import type { ReactNode } from "react";

/** The one thing to do on a plain page. */
export const plainAction =
  "mt-5 inline-flex h-8 items-center rounded-md bg-accent px-3 text-sm font-medium text-accent-ink hover:bg-accent-hover";

/** Takes the place of any page. It needs no script: each page would load it, for the case that it is needed. */
export function PlainPage({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action: ReactNode;
}) {
  return (
    <main className="grid min-h-dvh place-items-center px-6 text-center">
      <div>
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-2 text-ink-muted">{children}</p>
        {action}
      </div>
    </main>
  );
}
