"use client";

import { useQuery } from "@tanstack/react-query";
import { CirclePause } from "lucide-react";
import { useTRPC } from "../trpc/client.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** On every page while the operator holds sending in the whole installation. */
export function HoldBanner() {
  const { data: hold } = useQuery(
    useTRPC().notifications.sendingHold.queryOptions(undefined, { refetchInterval: 30_000 }),
  );
  if (!hold) return null;
  return (
    <p
      role="status"
      className="flex items-start gap-2 border-b border-line bg-warning-soft px-4 py-2.5 text-sm text-warning-text lg:px-8 print:hidden"
    >
      <CirclePause className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>
        Sending is on hold since <RelativeTime value={hold.heldAt} />. Messages, webhooks and reports wait
        until the operator releases them, and new requests to send are refused.
      </span>
    </p>
  );
}
