"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { FlaskConical, Pencil } from "lucide-react";
import { toast } from "../ui/toast.ts";
import type { ProviderDetail } from "../../server/connections/schemas.ts";
import { regionName } from "../../server/tenancy/vocabulary.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { DetailSkeleton } from "../layout/page-skeletons.tsx";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText, isRefused } from "../trpc/error-text.ts";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader, Facts } from "../ui/card.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatNumber, formatPercent, humanize, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { Warning } from "../ui/warning.tsx";
import { named } from "../ui/isolated.ts";
import { AdapterName } from "./adapter-name.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { PriceListCard } from "./price-list-card.tsx";
import { ProviderErrors } from "./provider-errors.tsx";
import { ProviderStatus } from "./provider-status.tsx";
import { TestOutcome } from "./test-outcome.tsx";

/** Everything about one connection but its credentials. */
export function ConnectionPage({ id }: { id: string }) {
  const { href, environment, canIn, units } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("providers");
  const query = useQuery(
    trpc.providers.get.queryOptions(
      { id, environmentId: environment.id },
      { refetchInterval: ({ state }) => (isRefused(state.error) ? false : 15_000) },
    ),
  );
  const connection = query.data;
  const test = useMutation(
    trpc.providers.test.mutationOptions({
      onSuccess: refresh,
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  if (query.isError && !connection) {
    return (
      <PageFrame>
        <QueryFailed what="this connection" query={query} />
      </PageFrame>
    );
  }
  if (!connection) return <DetailSkeleton />;
  const unit = units.find(({ slug }) => slug === connection.unit);
  const manages = canIn("providers:manage", unit?.id ?? null);

  return (
    <PageFrame>
      <PageHeader
        back={{ href: href("/providers"), label: "Providers" }}
        documentTitle={named(connection.name)}
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <bdi>{connection.name}</bdi> <ProviderStatus of={connection} />
          </span>
        }
        description={
          <>
            <AdapterName adapter={connection.provider} />
            {connection.unit === null ? ", for all teams" : `, for ${unit?.name ?? connection.unit}`}
            {connection.platform ? ", an account of the operator" : ""}
          </>
        }
        environmentScoped={false}
        actions={
          manages ? (
            <>
              <Button onClick={() => test.mutate({ id })} pending={test.isPending}>
                <FlaskConical aria-hidden /> Test
              </Button>
              <Button asChild>
                <Link href={href(`/providers/${id}/edit`)}>
                  <Pencil aria-hidden /> Edit
                </Link>
              </Button>
              <ConnectionActions connection={connection} />
            </>
          ) : null
        }
      />
      <div className="grid gap-3">
        {connection.problem ? <Warning>{connection.problem}</Warning> : null}
        {connection.regionAllowed ? null : (
          <Warning>
            Nothing is sent through it: it processes data in {regionName(connection.processingRegion)}, where
            your organisation’s data may not go. Allow transfer under Settings, Data and regions, or move the
            connection.
          </Warning>
        )}
        {test.data ? <TestOutcome result={test.data} provider={connection.provider} /> : null}
      </div>
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-1 gap-4">
          <Health connection={connection} />
          <Rules connection={connection} />
          <Senders connection={connection} />
          <PriceListCard connection={connection} manages={manages && !connection.platform} />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <Account connection={connection} />
          <Callback connection={connection} manages={manages} />
        </div>
      </div>
    </PageFrame>
  );
}

function Health({ connection }: { connection: ProviderDetail }) {
  const { href, environment } = usePortal();
  const { last24Hours: day, health, lastTest } = connection;
  return (
    <Card>
      <CardHeader
        title="Health"
        description={`Attempts in ${environment.name} in the last 24 hours.`}
        actions={
          <Button asChild size="sm">
            <Link href={href("/health")}>History</Link>
          </Button>
        }
      />
      <div className="grid gap-5 px-4 pb-4">
        <Facts
          items={[
            health && health.breaker !== "closed"
              ? {
                  label: "Now",
                  value: (
                    <>
                      {health.breaker === "open" ? "Not used" : "Testing with a few messages"} since{" "}
                      <AbsoluteTime value={health.since} />
                      {health.reason ? `: ${health.reason.detail ?? humanize(health.reason.code)}` : ""}
                    </>
                  ),
                }
              : null,
            { label: "Attempts", value: formatNumber(day.attempts) },
            {
              label: "Accepted",
              value:
                day.attempts === 0
                  ? "–"
                  : `${formatNumber(day.sent)} (${formatPercent(day.sent / day.attempts)})`,
            },
            { label: "Not sent", value: formatNumber(day.notSent) },
            { label: "Not confirmed", value: formatNumber(day.unknown) },
            {
              label: "Last test",
              value: lastTest ? (
                <>
                  <RelativeTime value={lastTest.at} />: {lastTest.problem ?? "passed"}
                </>
              ) : (
                <span className="text-ink-muted">Never tested</span>
              ),
            },
          ]}
        />
        {day.errors.length > 0 ? (
          <div>
            <h3 className="mb-2 text-sm font-medium">Problem</h3>
            <ProviderErrors
              errors={day.errors}
              href={(code) => href("/messages", { provider: connection.id, code })}
            />
          </div>
        ) : null}
      </div>
    </Card>
  );
}

function Rules({ connection }: { connection: ProviderDetail }) {
  const { environments } = usePortal();
  const { rules, hiddenRules } = connection;
  return (
    <Card>
      <CardHeader title="Routing rules" description="Rules that use this connection." />
      <div className="px-4 pb-4 text-sm">
        {rules.length + hiddenRules === 0 ? (
          <p className="text-ink-muted">No routing rule uses this connection yet.</p>
        ) : (
          <ul aria-label="Routing rules" tabIndex={0} className="grid max-h-96 gap-2 overflow-y-auto">
            {rules.map((rule) => (
              <li key={rule.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <span className="min-w-0 font-medium break-words">{rule.name}</span>
                <span className="flex flex-wrap items-center gap-2 text-ink-muted">
                  {environments.find((each) => each.slug === rule.environment)?.name ?? rule.environment}
                  <Badge tone="neutral">
                    {rule.tier === 1 ? "First choice" : `Tier ${String(rule.tier)}`}
                  </Badge>
                  {rule.enabled ? null : <Badge tone="outline">Rule is off</Badge>}
                </span>
              </li>
            ))}
            {hiddenRules > 0 ? (
              <li className="text-ink-muted">{plural(hiddenRules, "further rule")} of other teams</li>
            ) : null}
          </ul>
        )}
      </div>
    </Card>
  );
}

function Senders({ connection }: { connection: ProviderDetail }) {
  const { units } = usePortal();
  return (
    <Card>
      <CardHeader
        title="Senders"
        description="Who messages come from, and who gets the replies. Change senders under Edit."
      />
      <div className="px-4 pb-4 text-sm">
        {connection.senders.length === 0 ? (
          <p className="text-ink-muted">None. The provider’s default is used.</p>
        ) : (
          <ul className="grid gap-2">
            {connection.senders.map((sender) => (
              <li
                key={`${sender.channel} ${sender.region ?? ""} ${sender.sender} ${sender.unit ?? ""}`}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1"
              >
                <span className="min-w-0 break-all">{sender.sender}</span>
                <span className="flex items-center gap-3 text-ink-muted">
                  {sender.unit == null ? (
                    <span>All teams</span>
                  ) : (
                    <Badge>{units.find(({ slug }) => slug === sender.unit)?.name ?? sender.unit}</Badge>
                  )}
                  <span>{sender.region ?? "Everywhere"}</span>
                  <ChannelMark channel={sender.channel} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function settingText(value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Account({ connection }: { connection: ProviderDetail }) {
  const trpc = useTRPC();
  const adapters = useQuery(trpc.providers.adapters.queryOptions(undefined, { staleTime: Infinity }));
  const adapter = adapters.data?.data.find(({ name }) => name === connection.provider);
  const titles = (schema: Record<string, unknown> | undefined) =>
    (schema?.properties ?? {}) as Record<string, { title?: string } | undefined>;
  const order = Object.keys(titles(adapter?.settings));
  const settings = Object.entries(connection.settings)
    .filter(([, value]) => value !== null && value !== "")
    .toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return (
    <Card>
      <CardHeader title="Account" />
      <div className="px-4 pb-4">
        <Facts
          className="grid-cols-[7.5rem_minmax(0,1fr)]"
          items={[
            { label: "Provider", value: adapter?.label ?? <AdapterName adapter={connection.provider} /> },
            {
              label: "Channels",
              value: (
                <span className="flex flex-wrap gap-x-3 gap-y-1">
                  {connection.channels.map((channel) => (
                    <ChannelMark key={channel} channel={channel} />
                  ))}
                </span>
              ),
            },
            { label: "Processed in", value: regionName(connection.processingRegion) },
            ...settings.map(([name, value]) => ({
              label: titles(adapter?.settings)[name]?.title ?? humanize(name),
              value: settingText(value),
            })),
            ...connection.credentialsSet.map((name) => ({
              label: titles(adapter?.credentials)[name]?.title ?? humanize(name),
              value: <span className="text-ink-muted">Stored, never shown</span>,
            })),
            {
              label: "Limit",
              value:
                connection.ratePerSecond === null
                  ? "None"
                  : `${formatNumber(connection.ratePerSecond)} messages per second`,
            },
            { label: "Concurrent calls", value: `${formatNumber(connection.maxConcurrency)} per worker` },
            { label: "Slow after", value: `${formatNumber(connection.slowAfterMs)} ms` },
            {
              label: "Receipts",
              value: connection.receipts ? "Reports deliveries" : "None. Messages end as sent",
            },
            adapter && adapter.inbound.length > 0
              ? {
                  label: "Messages that aren't replies",
                  value: connection.inbound
                    ? `To ${connection.inbound.application} in ${connection.inbound.environment}`
                    : "To no application",
                }
              : null,
            { label: "Added", value: <AbsoluteTime value={connection.createdAt} /> },
            { label: "Changed", value: <AbsoluteTime value={connection.updatedAt} /> },
          ]}
        />
      </div>
    </Card>
  );
}

function Callback({ connection, manages }: { connection: ProviderDetail; manages: boolean }) {
  const { callback } = connection;
  const trpc = useTRPC();
  const refresh = useRefresh("providers");
  const end = useMutation(
    trpc.providers.update.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast.success("Callbacks signed with the old secret are now refused");
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  if (!callback) return null;
  return (
    <Card>
      <CardHeader title="Callback address" description="Enter it at the provider." />
      <div className="grid gap-3 px-4 pb-4 text-sm">
        <p className="flex items-start gap-1 rounded-md bg-sunken px-2.5 py-1.5">
          <code className="min-w-0 flex-1 font-mono text-xs leading-5 break-all">{callback.url}</code>
          <CopyButton value={callback.url} label="Copy callback address" />
        </p>
        {callback.setup ? (
          <p className="text-ink-muted">{callback.setup.replaceAll(callback.url, "this address")}</p>
        ) : (
          <p className="text-ink-muted">Sent with each message. No setup needed.</p>
        )}
        {callback.oldSecretsUntil ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="text-ink-muted">
              Callbacks signed with the old secret are accepted until{" "}
              <AbsoluteTime value={callback.oldSecretsUntil} />.
            </p>
            {manages ? (
              <Button
                size="sm"
                pending={end.isPending}
                onClick={() => end.mutate({ id: connection.id, changes: { callbackOverlap: false } })}
              >
                End now
              </Button>
            ) : null}
          </div>
        ) : null}
      </div>
    </Card>
  );
}
