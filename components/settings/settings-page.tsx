"use client";

import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AiSettingsForm } from "./ai-settings-form.tsx";
import { AiStatusCard } from "./ai-status-card.tsx";
import { AiUsageCard } from "./ai-usage-card.tsx";
import { ResidencySection } from "./residency-section.tsx";
import { ShortLinksSection } from "./short-links-section.tsx";

/** Settings of the whole organisation. */
export function SettingsPage() {
  const { canIn, tenant } = usePortal();
  return (
    <PageFrame className="max-w-4xl">
      <PageHeader
        title="Settings"
        description={`They hold for all of ${tenant.name}, in every environment.`}
        environmentScoped={false}
      />
      {canIn("settings:manage", null) ? (
        <>
          <AiSection />
          <ShortLinksSection />
          <ResidencySection />
        </>
      ) : (
        <Card>
          <NothingYet icon={Lock} title="Your role does not show the settings">
            They are for people who manage the settings of the whole organisation.
          </NothingYet>
        </Card>
      )}
    </PageFrame>
  );
}

function AiSection() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.ai.settings.queryOptions());
  return (
    <section aria-labelledby="ai-heading" className="grid grid-cols-1 gap-4">
      <h2 id="ai-heading" className="text-base font-semibold">
        AI and moderation
      </h2>
      <AiStatusCard />
      {settings.data ? (
        <AiSettingsForm settings={settings.data} />
      ) : settings.isError ? (
        <Card>
          <QueryFailed what="the settings" error={settings.error} onRetry={() => void settings.refetch()} />
        </Card>
      ) : (
        <Card className="grid gap-4 p-4" aria-busy>
          <Skeleton className="w-48" />
          <Skeleton className="w-3/4" />
          <Skeleton className="h-28 w-full" />
        </Card>
      )}
      <AiUsageCard budget={settings.data?.monthlyTokens ?? null} />
    </section>
  );
}
