import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SignInForm } from "../../components/access/sign-in-form.tsx";
import { Wordmark } from "../../components/layout/logo.tsx";
import { SignInScene } from "../../components/access/sign-in-scene.tsx";
import { isEmptyInstallation } from "../../server/trpc/public-forms.ts";
import { passkeysPossible, signInOrganisation } from "../../server/trpc/sign-in-page.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ callbackUrl?: string; error?: string; organisation?: string; another?: string }>;
}) {
  const { callbackUrl, error, organisation, another } = await searchParams;
  const received = await headers();
  if (await isEmptyInstallation()) redirect("/set-up");
  const proposed = await signInOrganisation(received.get("cookie"), {
    organisation,
    callbackUrl,
    another: another !== undefined,
  });
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <main className="flex flex-col px-6 py-8 sm:px-10">
        <Wordmark />
        <div className="mx-auto flex w-full max-w-88 flex-1 flex-col justify-center py-12">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">Sign in</h1>
          <p className="mt-1 mb-6 text-ink-muted">See every message, from the request to the receipt.</p>
          <SignInForm
            callbackUrl={callbackUrl}
            initialError={error}
            organisation={proposed}
            passkeys={passkeysPossible()}
          />
        </div>
      </main>
      <SignInScene />
    </div>
  );
}
