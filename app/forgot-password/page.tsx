import type { Metadata } from "next";
import { headers } from "next/headers";
import { ForgotPasswordForm } from "../../components/access/forgot-password-form.tsx";
import { PublicPage } from "../../components/onboarding/public-page.tsx";
import { signInOrganisation } from "../../server/trpc/sign-in-page.ts";

export const metadata: Metadata = { title: "Forgot your password?" };

export default async function ForgotPasswordPage({
  searchParams,
}: {
  searchParams: Promise<{ organisation?: string }>;
}) {
  const { organisation } = await searchParams;
  const proposed = await signInOrganisation((await headers()).get("cookie"), { organisation });
  return (
    <PublicPage title="Forgot your password?" description="We will e-mail you a link to choose a new one.">
      <ForgotPasswordForm organisation={proposed} />
    </PublicPage>
  );
}
