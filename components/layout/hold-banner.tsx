"use client";

import { useQuery } from "@tanstack/react-query";
import { CirclePause } from "lucide-react";
import { useTRPC } from "../trpc/client.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { Warning } from "../ui/warning.tsx";

/** On every page while the operator holds sending in the whole installation. */
export function HoldBanner() {
  const { data: hold } = useQuery(
    useTRPC().notifications.sendingHold.queryOptions(undefined, { refetchInterval: 30_000 }),
  );
  if (!hold) return null;
  return (
    <Warning banner icon={CirclePause} role="status">
      Sending is on hold since <RelativeTime value={hold.heldAt} />. Messages, webhooks and reports wait until
      the operator releases them, and new requests to send are refused.
    </Warning>
  );
}
