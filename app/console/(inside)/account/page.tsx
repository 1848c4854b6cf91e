import type { Metadata } from "next";
import { headers } from "next/headers";
import { OperatorAccountPage } from "../../../../components/console/account-page.tsx";
import { signedInOperator } from "../../../../server/trpc/console-context.ts";

export const metadata: Metadata = { title: "Your account" };

export default async function Page() {
  const operator = await signedInOperator(await headers());
  return <OperatorAccountPage email={operator?.email ?? ""} />;
}
