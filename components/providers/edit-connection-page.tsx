"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { toast } from "../ui/toast.ts";
import type { ProviderDetail, ProviderUpdate } from "../../server/connections/schemas.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { DetailSkeleton } from "../layout/page-skeletons.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { named } from "../ui/isolated.ts";
import { ConnectionForm } from "./connection-form.tsx";
import type { ConnectionInput } from "./connection-form.tsx";

export function EditConnectionPage({ id }: { id: string }) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useRefresh("providers");
  const adapters = useQuery(trpc.providers.adapters.queryOptions(undefined, { staleTime: Infinity }));
  // What was read when the form opened is what the change is held against.
  const query = useQuery(
    trpc.providers.get.queryOptions({ id }, { staleTime: Infinity, refetchOnMount: "always", gcTime: 0 }),
  );
  const connection = query.isFetchedAfterMount ? query.data : undefined;
  const adapter = adapters.data?.data.find(({ name }) => name === connection?.provider);
  const update = useMutation(
    trpc.providers.update.mutationOptions({
      onSuccess: async (saved) => {
        await refresh();
        toast.success(`${named(saved.name)} saved`, { description: "Takes effect within two seconds." });
        router.push(href(`/providers/${saved.id}`));
      },
    }),
  );
  const failed = (connection ? null : query.error) ?? (adapters.data ? null : adapters.error);
  if (failed) {
    return (
      <PageFrame>
        <QueryFailed
          what="this connection"
          query={{ error: failed, refetch: () => Promise.all([query.refetch(), adapters.refetch()]) }}
        />
      </PageFrame>
    );
  }
  if (!connection || !adapter) return <DetailSkeleton />;
  return (
    <PageFrame className="max-w-4xl">
      <PageHeader
        back={{ href: href(`/providers/${id}`), label: connection.name }}
        title={`Edit ${named(connection.name)}`}
        description={`A connection to ${adapter.label}. Changes take effect within two seconds.`}
        environmentScoped={false}
      />
      <ConnectionForm
        adapter={adapter}
        connection={connection}
        error={update.error}
        pending={update.isPending}
        submitLabel="Save connection"
        cancel={
          <Button asChild>
            <Link href={href(`/providers/${id}`)}>Cancel</Link>
          </Button>
        }
        onSubmit={(input) =>
          update.mutate({ id, changes: { ...changesOf(connection, input), updatedAt: connection.updatedAt } })
        }
      />
    </PageFrame>
  );
}

/** Only what differs from what is stored; of credentials, only what was typed. */
function changesOf(stored: ProviderDetail, input: ConnectionInput): ProviderUpdate {
  const { credentials, ...others } = input;
  const changed = Object.entries(others).filter(
    ([name, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(stored[name as keyof ProviderDetail]),
  );
  return {
    ...(Object.fromEntries(changed) as ProviderUpdate),
    ...(Object.keys(credentials).length > 0 ? { credentials } : {}),
  };
}
