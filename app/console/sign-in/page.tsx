import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { ConsoleSignInForm } from "../../../components/console/sign-in-form.tsx";
import { ConsoleDoor } from "../../../components/console/console-door.tsx";
import { signedInOperator } from "../../../server/trpc/console-context.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage() {
  if (await signedInOperator(await headers())) redirect("/console/organisations");
  return (
    <ConsoleDoor
      title="Operator console"
      description="For operators of this installation. Members sign in to the portal."
    >
      <ConsoleSignInForm />
    </ConsoleDoor>
  );
}
