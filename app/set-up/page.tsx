import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { SetUpForm } from "../../components/onboarding/set-up-form.tsx";
import { isEmptyInstallation } from "../../server/trpc/public-forms.ts";

export const metadata: Metadata = { title: "Set up", referrer: "no-referrer" };

/** There as long as there is no organisation. */
export default async function SetUpPage() {
  await connection();
  if (!(await isEmptyInstallation())) notFound();
  return <SetUpForm />;
}
