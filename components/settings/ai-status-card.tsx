"use client";

import { useQuery } from "@tanstack/react-query";
import type { AiStatus } from "../../server/ai/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

function face(status: AiStatus): { label: string; tone: BadgeTone } {
  if (!status.configured) return { label: "Not configured", tone: "neutral" };
  if (!status.available) return { label: "Switched off", tone: "warning" };
  return status.drafting
    ? { label: "Moderation and drafting", tone: "success" }
    : { label: "Moderation only", tone: "success" };
}

const variables = [
  { name: "AI_BASE_URL", says: "address of any service compatible with OpenAI's API" },
  { name: "AI_API_KEY", says: "its key" },
  { name: "AI_MODEL", says: "the model for drafting and checks; required" },
  { name: "AI_MODERATION_MODEL", says: "the model of its moderation endpoint, if it has one" },
  { name: "AI_REGION", says: "where it processes data" },
  { name: "AI_PRICE_INPUT, AI_PRICE_OUTPUT, AI_PRICE_CURRENCY", says: "price per million tokens" },
] as const;

/** Which AI service there is for this organisation, and why not where there is none. */
export function AiStatusCard() {
  const trpc = useTRPC();
  const query = useQuery(trpc.ai.status.queryOptions());
  const status = query.data;
  const shown = status ? face(status) : null;
  return (
    <Card aria-label="AI service" aria-busy={query.isPending}>
      <CardHeader
        title="AI service"
        description="Checks templates against your policy before they are saved, and drafts them on request."
        actions={
          shown ? (
            <Badge tone={shown.tone}>
              <Dot tone={shown.tone} />
              {shown.label}
            </Badge>
          ) : null
        }
      />
      {query.isError && !status ? (
        <QueryFailed what="the AI service" query={query} />
      ) : status ? (
        <div className="grid gap-3 px-4 pb-4">
          {status.reason ? <p className="text-sm">{status.reason}</p> : null}
          {status.configured ? (
            <Facts
              items={[
                { label: "Model", value: <code className="font-mono text-xs">{status.model}</code> },
                {
                  label: "Moderation model",
                  value: status.moderationModel ? (
                    <code className="font-mono text-xs">{status.moderationModel}</code>
                  ) : (
                    "None. The policy check works without it"
                  ),
                },
                { label: "Processes in", value: status.region ?? "–" },
              ]}
            />
          ) : (
            <p className="text-sm text-ink-muted">
              Until then, only the built-in checks moderate: card numbers, bank accounts, secrets and personal
              data.
            </p>
          )}
          <details className="text-sm">
            <summary className="cursor-pointer rounded-sm text-ink-muted hover:text-ink">
              How the operator configures it
            </summary>
            <p className="mt-2 text-ink-muted">Set these environment variables and restart the service:</p>
            <dl className="mt-2 grid gap-x-4 gap-y-1.5 sm:grid-cols-[14rem_minmax(0,1fr)]">
              {variables.map((variable) => (
                <div key={variable.name} className="contents">
                  <dt>
                    <code className="font-mono text-xs">{variable.name}</code>
                  </dt>
                  <dd className="text-ink-muted">{variable.says}</dd>
                </div>
              ))}
            </dl>
          </details>
        </div>
      ) : (
        <div className="grid gap-3 px-4 pb-4">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/3" />
        </div>
      )}
    </Card>
  );
}
