import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { ConsoleApi } from "../../../components/console/client.tsx";
import { ConsoleShell } from "../../../components/console/console-shell.tsx";
import { OperatorFactorFirst } from "../../../components/console/second-factor-first.tsx";
import { ShortcutProvider } from "../../../components/shortcuts/shortcuts.tsx";
import { signedInOperator } from "../../../server/trpc/console-context.ts";

/** Guards the console's pages on the server; its procedures check again for themselves. */
export default async function InsideLayout({ children }: { children: ReactNode }) {
  const operator = await signedInOperator(await headers());
  if (!operator) redirect("/console/sign-in");
  if (operator.secondFactorMissing) {
    return (
      <ConsoleApi operator={operator}>
        <OperatorFactorFirst />
      </ConsoleApi>
    );
  }
  return (
    <ConsoleApi operator={operator}>
      <ShortcutProvider>
        <ConsoleShell operator={operator}>{children}</ConsoleShell>
      </ShortcutProvider>
    </ConsoleApi>
  );
}
