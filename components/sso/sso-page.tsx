"use client";

import { useQuery } from "@tanstack/react-query";
import { LogIn, Plus, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { permissions } from "../../server/access/vocabulary.ts";
import type { ListedProvider } from "../../server/sso/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { SettingsHeader } from "../settings/settings-frame.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ProviderCard } from "./provider-card.tsx";

const ProviderDialog = dynamic(() => import("./provider-dialog.tsx").then((module) => module.ProviderDialog));

/** The organisation's own identity providers. */
export function SsoPage() {
  const { canIn, href } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(trpc.sso.providers.queryOptions());
  const domains = useQuery(trpc.directory.domains.queryOptions());
  const [editing, setEditing] = useState<ListedProvider | "new" | null>(null);
  const mayConnect = permissions.every((permission) => canIn(permission, null));
  const providers = query.data?.data;
  const unproven =
    domains.data !== undefined && !domains.data.data.some(({ verifiedAt }) => verifiedAt !== null);
  const add = (
    <Button size="sm" variant="primary" onClick={() => setEditing("new")}>
      <Plus aria-hidden /> Add provider
    </Button>
  );
  return (
    <>
      <SettingsHeader
        path="/single-sign-on"
        actions={mayConnect && providers && providers.length > 0 ? add : null}
      >
        {mayConnect
          ? "For people with an address in your verified domains."
          : "Only owners can connect identity providers."}
      </SettingsHeader>
      <div className="grid grid-cols-1 gap-4">
        {unproven && providers && providers.length > 0 ? (
          <Warning>
            You have no verified domains, so nobody can sign in this way.{" "}
            <Link href={href("/settings/directory")} className="font-medium underline underline-offset-2">
              Verify a domain
            </Link>
          </Warning>
        ) : null}
        {query.data && !query.data.allowed && providers?.some(({ enabled }) => enabled) ? (
          <Warning>
            Your organisation has switched this way to sign in off.{" "}
            <Link href={href("/settings/sign-in")} className="font-medium underline underline-offset-2">
              Change ways to sign in
            </Link>
          </Warning>
        ) : null}
        {query.isError && !providers ? (
          <Card>
            <QueryFailed what="the providers" query={query} />
          </Card>
        ) : !query.data || !providers ? (
          <Card className="grid gap-3 p-4" aria-busy>
            <Skeleton className="w-40" />
            <Skeleton className="w-2/3" />
          </Card>
        ) : providers.length === 0 ? (
          <Card>
            <NothingYet icon={LogIn} title="No identity providers yet" action={mayConnect ? add : undefined}>
              Let members sign in with their existing account: Microsoft Entra, Google, Okta or another OpenID
              Connect provider.
              {unproven ? " Verify a domain first, under Directory." : ""}
            </NothingYet>
          </Card>
        ) : (
          providers.map((provider) => (
            <ProviderCard
              key={provider.id}
              provider={provider}
              redirectUri={query.data.redirectUri}
              mayConnect={mayConnect}
              onEdit={() => setEditing(provider)}
            />
          ))
        )}
      </div>
      {editing && query.data ? (
        <ProviderDialog
          provider={editing === "new" ? null : editing}
          redirectUri={query.data.redirectUri}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </>
  );
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-lg border border-line bg-warning-soft px-4 py-3 text-sm text-warning-text">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>{children}</span>
    </p>
  );
}
