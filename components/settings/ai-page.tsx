"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card } from "../ui/card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AiSettingsForm } from "./ai-settings-form.tsx";
import { AiStatusCard } from "./ai-status-card.tsx";
import { AiUsageCard } from "./ai-usage-card.tsx";
import { SettingsHeader } from "./settings-frame.tsx";

/** What the AI service may do for this organisation. */
export function AiPage() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.ai.settings.queryOptions());
  return (
    <>
      <SettingsHeader path="/ai" />
      <div className="grid grid-cols-1 gap-4">
        <AiStatusCard />
        {settings.data ? (
          <AiSettingsForm settings={settings.data} />
        ) : settings.isError ? (
          <Card>
            <QueryFailed what="the settings" query={settings} />
          </Card>
        ) : (
          <Card className="grid gap-4 p-4" aria-busy>
            <Skeleton className="w-48" />
            <Skeleton className="w-3/4" />
            <Skeleton className="h-28 w-full" />
          </Card>
        )}
        <AiUsageCard budget={settings.data?.monthlyTokens ?? null} />
      </div>
    </>
  );
}
