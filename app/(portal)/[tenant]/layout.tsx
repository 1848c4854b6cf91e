import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { SecondFactorFirst } from "../../../components/access/second-factor-first.tsx";
import { AppShell } from "../../../components/layout/app-shell.tsx";
import { NoRole } from "../../../components/layout/no-role.tsx";
import { PortalProvider } from "../../../components/portal/portal-context.tsx";
import { ShortcutProvider } from "../../../components/shortcuts/shortcuts.tsx";
import { ApiProvider } from "../../../components/trpc/client.tsx";
import { loadPortal } from "../portal-session.ts";

/** Guards every page of a tenant on the server; the procedures behind the pages check again for themselves. */
export default async function TenantLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ tenant: string }>;
}) {
  const [{ tenant }, me, received] = await Promise.all([params, loadPortal(), headers()]);
  if (me.tenant.slug !== tenant) notFound();
  if (me.secondFactorMissing) {
    return (
      <ApiProvider organisation={me.tenant.slug} person={me.user}>
        <SecondFactorFirst tenant={me.tenant.name} />
      </ApiProvider>
    );
  }
  if (me.environments.length === 0) return <NoRole name={me.user.name} tenant={me.tenant.name} />;

  return (
    <ApiProvider organisation={me.tenant.slug} person={me.user} nonce={received.get("x-nonce") ?? undefined}>
      <PortalProvider value={me}>
        <ShortcutProvider>
          <AppShell>{children}</AppShell>
        </ShortcutProvider>
      </PortalProvider>
    </ApiProvider>
  );
}
