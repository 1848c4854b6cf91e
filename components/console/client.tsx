"use client";

import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { useState, type ReactNode } from "react";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { statusOf } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { transformer } from "../trpc/transformer.ts";

const context = createTRPCContext<ConsoleRouter>();
export const useConsole = context.useTRPC;

function createQueryClient(): QueryClient {
  function onError(error: unknown) {
    if (statusOf(error) === 401) window.location.assign("/console/sign-in");
    // What takes the place of every page comes from the server.
    if (errorCode(error) === "second_factor_missing") window.location.reload();
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // What the service refused on purpose will be refused again.
        retry: (count, error) => count < 2 && (statusOf(error) ?? 500) >= 500,
      },
    },
  });
}

/** The console's own way to the service; it knows nothing of the portal's procedures. */
export function ConsoleApi({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(() =>
    createTRPCClient<ConsoleRouter>({
      links: [httpBatchLink({ url: "/console/api/trpc", transformer, maxURLLength: 4_000, maxItems: 10 })],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
