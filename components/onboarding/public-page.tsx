import type { ReactNode } from "react";
import { SignInScene } from "../access/sign-in-scene.tsx";
import { Wordmark } from "../layout/logo.tsx";

/** A page for somebody who is not signed in: one form, and the scene of the sign-in beside it where there is room. */
export function PublicPage({
  title,
  description,
  children,
}: {
  title: string;
  description: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <main className="flex flex-col px-6 py-8 sm:px-10">
        <Wordmark />
        <div className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center py-12">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
          <p className="mt-1 mb-6 text-ink-muted">{description}</p>
          {children}
        </div>
      </main>
      <SignInScene />
    </div>
  );
}
