"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { useCallback, useState, type ReactNode } from "react";
import type { ConsoleRouter } from "../../server/trpc/console-root.ts";
import { createQueryClient } from "../trpc/client.tsx";
import { SessionEnded, type SessionEnd } from "../trpc/session-ended.tsx";
import { transformer } from "../trpc/transformer.ts";

const context = createTRPCContext<ConsoleRouter>();
export const useConsole = context.useTRPC;

/**
 * The console's own way to the service; it knows nothing of the portal's procedures.
 * @param operator whose page it is: it works for nobody else who signs in in this browser
 */
export function ConsoleApi({
  operator,
  children,
}: {
  operator: { id: string; email: string };
  children: ReactNode;
}) {
  const [end, setEnd] = useState<SessionEnd | null>(null);
  const [queryClient] = useState(() => createQueryClient(setEnd, 5_000));
  const [trpcClient] = useState(() =>
    createTRPCClient<ConsoleRouter>({
      links: [
        httpBatchLink({
          url: "/console/api/trpc",
          headers: { "x-tidings-operator": operator.id },
          transformer,
          maxURLLength: 4_000,
          maxItems: 10,
        }),
      ],
    }),
  );
  const goOn = useCallback(() => setEnd(null), []);
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
        {end ? (
          <SessionEnded
            end={end}
            email={operator.email}
            ask={() => trpcClient.installation.hold.query()}
            onBack={goOn}
          />
        ) : null}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}
