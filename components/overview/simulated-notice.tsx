"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";

/** Says when messages of an environment that is no sandbox went to the simulator: they count as sent, and nobody received them. */
export function SimulatedNotice({
  from,
  to,
  application,
  channel,
}: {
  from: string;
  to: string;
  application?: string | undefined;
  channel?: "sms" | "email" | "whatsapp" | undefined;
}) {
  const { environment, unit, href } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(
    trpc.insights.simulated.queryOptions(
      { environmentId: environment.id, unitId: unit?.id, application, channel, from, to },
      { enabled: environment.kind !== "sandbox", staleTime: 30_000, placeholderData: keepPreviousData },
    ),
  );
  const sent = query.data?.sent ?? 0;
  if (environment.kind === "sandbox" || sent === 0) return null;
  return (
    <p className="mb-4 flex items-start gap-2 rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text">
      <FlaskConical className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>
        {plural(sent, "message")} of this period went to the simulator: nobody received{" "}
        {sent === 1 ? "it" : "them"}, whatever the figures below say.{" "}
        <Link href={href("/routing")} className="font-medium underline underline-offset-4">
          Routing rules
        </Link>{" "}
        decide what goes to a real provider.
      </span>
    </p>
  );
}
