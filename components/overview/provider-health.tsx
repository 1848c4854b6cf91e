"use client";

import { useQuery } from "@tanstack/react-query";
import type { Provider } from "../../server/connections/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { AdapterName } from "../providers/adapter-name.tsx";
import { ProviderStatus } from "../providers/provider-status.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatNumber, formatPercent } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const order: Provider["status"][] = ["down", "degraded", "operational", "idle", "disabled"];

/** Every connection with its last 24 hours, the ones in trouble first. */
export function ProviderHealth() {
  const { can, href, environment } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.providers.list.queryOptions(
      { environmentId: environment.id },
      {
        refetchInterval: 15_000,
        enabled: can("providers:read"),
      },
    ),
  );
  if (!can("providers:read")) return null;
  const providers = query.data?.data.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));

  return (
    <Card aria-busy={query.isPending}>
      <CardHeader
        title="Provider health"
        description="Attempts of the last 24 hours"
        actions={
          <Link
            href={href("/providers")}
            className="text-xs font-medium text-accent-text underline-offset-4 hover:underline"
          >
            All providers
          </Link>
        }
      />
      {query.isError && !providers ? (
        <QueryFailed what="providers" query={query} />
      ) : (
        <ul className="grid grid-cols-1 border-t border-line sm:grid-cols-2 lg:grid-cols-3">
          {(providers ?? [undefined, undefined, undefined]).map((provider, index) => (
            <li
              key={provider?.id ?? index}
              className="-mr-px -mb-px flex min-h-18 items-center justify-between gap-3 border-r border-b border-line px-4 py-3"
            >
              {provider ? (
                <>
                  <Link
                    href={href(`/providers/${provider.id}`)}
                    className="min-w-0 rounded-sm underline-offset-4 hover:underline"
                  >
                    <span className="block truncate text-sm font-medium" title={provider.name}>
                      {provider.name}
                    </span>
                    <span className="block truncate text-xs text-ink-muted">
                      <AdapterName adapter={provider.provider} />
                      {provider.last24Hours.attempts === 0
                        ? ", nothing sent"
                        : `, ${formatPercent(provider.last24Hours.sent / provider.last24Hours.attempts)} of ${formatNumber(provider.last24Hours.attempts)} accepted`}
                    </span>
                  </Link>
                  <ProviderStatus of={provider} />
                </>
              ) : (
                <>
                  <span className="grid gap-2">
                    <Skeleton className="w-28" />
                    <Skeleton className="h-3 w-36" />
                  </span>
                  <Skeleton className="h-5 w-20" />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
