import type { Metadata } from "next";
import { PublicPage } from "../../components/onboarding/public-page.tsx";
import { SetPasswordForm } from "../../components/onboarding/set-password-form.tsx";

export const metadata: Metadata = { title: "Choose a password", referrer: "no-referrer" };

export default function SetPasswordPage() {
  return (
    <PublicPage title="Choose a password" description="You then sign in with it and your e-mail address.">
      <SetPasswordForm />
    </PublicPage>
  );
}
