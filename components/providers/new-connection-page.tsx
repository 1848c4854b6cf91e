"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { toast } from "../ui/toast.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { named } from "../ui/isolated.ts";
import { AdapterCards } from "./adapter-cards.tsx";
import { ConnectionForm } from "./connection-form.tsx";

/** First which provider, then the connection to it. The choice is in the address, so the way back leads to the cards. */
export function NewConnectionPage() {
  const { href } = usePortal();
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useRefresh("providers");
  const [chosen, setChosen] = useQueryState("provider", parseAsString.withOptions({ history: "push" }));
  const adapters = useQuery(trpc.providers.adapters.queryOptions(undefined, { staleTime: Infinity }));
  const adapter = adapters.data?.data.find(({ name }) => name === chosen && name !== "simulator");
  const create = useMutation(
    trpc.providers.create.mutationOptions({
      onSuccess: async (created) => {
        await refresh();
        toast.success(`${named(created.name)} added`, {
          description: "Add it to a routing rule to send through it.",
        });
        router.push(href(`/providers/${created.id}`));
      },
    }),
  );

  return (
    <PageFrame className="max-w-4xl">
      <PageHeader
        back={
          adapter
            ? { href: href("/providers/new"), label: "All providers" }
            : { href: href("/providers"), label: "Providers" }
        }
        title={adapter ? `New connection to ${adapter.label}` : "New connection"}
        description={
          adapter
            ? "Available in every environment. Add it to a routing rule to send through it."
            : "Choose your provider."
        }
        environmentScoped={false}
      />
      {adapters.isError && !adapters.data ? (
        <QueryFailed what="the providers" query={adapters} />
      ) : adapter ? (
        <ConnectionForm
          key={adapter.name}
          adapter={adapter}
          connection={null}
          error={create.error}
          pending={create.isPending}
          submitLabel="Add connection"
          cancel={
            <Button asChild>
              <Link href={href("/providers")}>Cancel</Link>
            </Button>
          }
          onSubmit={({ processingRegion, ...input }) =>
            create.mutate({
              provider: adapter.name,
              ...input,
              ...(processingRegion === undefined ? {} : { processingRegion }),
            })
          }
        />
      ) : adapters.data ? (
        <AdapterCards
          adapters={adapters.data.data}
          onChoose={(next) => {
            create.reset();
            void setChosen(next.name);
          }}
        />
      ) : (
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3" aria-busy>
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} className="h-20 w-full" />
          ))}
        </div>
      )}
    </PageFrame>
  );
}
