"use client";

import { CircleAlert } from "lucide-react";
import type { Webhook } from "../../server/webhooks/schemas.ts";
import { AbsoluteTime } from "../ui/time.tsx";

/** Of an endpoint that was turned off automatically: why, since when, and how it comes back. */
export function TurnedOff({ webhook }: { webhook: Webhook }) {
  const { enabled, disabledReason, disabledAt, failingSince } = webhook;
  if (enabled || disabledAt === null || disabledReason === null || disabledReason === "manual") return null;
  return (
    <section
      role="status"
      aria-label="Turned off automatically"
      className="mb-4 flex gap-2.5 rounded-md border border-danger/30 bg-danger-soft px-4 py-3 text-sm"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-danger-text" aria-hidden />
      <div className="grid min-w-0 gap-1">
        <h2 className="font-medium text-danger-text">
          Turned off automatically on <AbsoluteTime value={disabledAt} withYear />
        </h2>
        <p>
          {disabledReason === "gone" ? (
            "It returned HTTP 410 (Gone), which tells senders to stop."
          ) : failingSince ? (
            <>
              Every attempt had failed since <AbsoluteTime value={failingSince} withYear />: five days without
              a single success.
            </>
          ) : (
            "Every attempt failed for five days."
          )}
        </p>
        <p>
          It does not come back by itself. Turn it on once the receiver works; events of the last 30 days are
          kept, and you can replay those it missed.
        </p>
      </div>
    </section>
  );
}
