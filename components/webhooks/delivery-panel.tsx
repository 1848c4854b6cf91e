"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { toast } from "../ui/toast.ts";
import type { DeliveryDetail, WebhookAttempt } from "../../server/webhooks/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Facts } from "../ui/card.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { formatDuration } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { DeliveryState } from "./webhook-status.tsx";

/** One delivery: its attempts with answers, and the exact body that was posted. */
export function DeliveryPanel({
  endpointId,
  deliveryId,
  onClose,
}: {
  endpointId: string;
  deliveryId: string;
  onClose: () => void;
}) {
  const { href } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("webhooks");
  const query = useQuery(
    trpc.webhooks.delivery.queryOptions(
      { id: endpointId, deliveryId },
      { refetchInterval: (state) => (state.state.data?.state === "pending" ? 2000 : false) },
    ),
  );
  const replay = useMutation(
    trpc.webhooks.replayDelivery.mutationOptions({
      onSuccess: async () => {
        toast.success("Sending now");
        await refresh();
      },
      onError: (error) => toast.error(errorText(error)),
    }),
  );
  const delivery = query.data;

  return (
    <Sheet
      open
      onClose={onClose}
      title={<span className="font-mono text-base">{delivery?.event ?? "Delivery"}</span>}
      subtitle={delivery ? <DeliveryState state={delivery.state} /> : <Skeleton className="w-20" />}
      actions={
        delivery && (delivery.state !== "pending" || waitsForRetry(delivery)) ? (
          <Button
            size="sm"
            pending={replay.isPending}
            onClick={() => replay.mutate({ id: endpointId, deliveryId: delivery.id })}
          >
            <RotateCw aria-hidden /> {delivery.state === "pending" ? "Retry now" : "Replay"}
          </Button>
        ) : null
      }
    >
      {query.isError && !delivery ? <QueryFailed what="this delivery" query={query} /> : null}
      {delivery ? (
        <>
          <Section title="Delivery">
            <Facts
              items={[
                { label: "ID", value: <CopyableId value={delivery.id} label="Copy delivery ID" /> },
                { label: "Event time", value: <AbsoluteTime value={delivery.at} /> },
                delivery.nextAttemptAt
                  ? {
                      label: "Next attempt",
                      value: (
                        <>
                          <RelativeTime value={delivery.nextAttemptAt} ahead />
                          <span className="text-ink-muted">
                            {" "}
                            (<AbsoluteTime value={delivery.nextAttemptAt} />)
                          </span>
                        </>
                      ),
                    }
                  : null,
                delivery.deliveredAt
                  ? { label: "Delivered", value: <AbsoluteTime value={delivery.deliveredAt} /> }
                  : null,
                delivery.notificationId
                  ? {
                      label: "Message",
                      value: (
                        <Link
                          href={href(`/messages/${delivery.notificationId}`)}
                          className="text-accent-text underline-offset-4 hover:underline"
                        >
                          Open its timeline
                        </Link>
                      ),
                    }
                  : null,
              ]}
            />
          </Section>
          <Section title="Attempts">
            {delivery.attemptLog.length === 0 ? (
              <p className="text-sm text-ink-muted">No attempts yet.</p>
            ) : (
              <ol className="grid gap-3">
                {delivery.attemptLog.toReversed().map((attempt) => (
                  <Attempt key={attempt.number} attempt={attempt} />
                ))}
              </ol>
            )}
          </Section>
          <Section title="Body">
            {delivery.body === null ? (
              <p className="text-sm text-ink-muted">
                The recipient's data was erased, so the body no longer exists.
              </p>
            ) : (
              <>
                {delivery.masked ? (
                  <p className="mb-2 text-sm text-ink-muted">
                    You don't have access to the address, so it is masked and the signature is omitted.
                  </p>
                ) : null}
                <CodeBlock code={pretty(delivery.body)} label="Body" />
              </>
            )}
          </Section>
        </>
      ) : query.isPending ? (
        <div className="grid gap-3 px-5 py-5">
          <Skeleton className="w-3/4" />
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
        </div>
      ) : null}
    </Sheet>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const good = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  return (
    <li className="rounded-md border border-line">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3 py-2 text-sm">
        <span className="flex items-center gap-2">
          <span className="text-ink-muted">Attempt {attempt.number}</span>
          <Badge tone={good ? "success" : "danger"}>
            {attempt.status === null ? "No response" : `HTTP ${attempt.status}`}
          </Badge>
        </span>
        <span className="flex gap-2 text-xs text-ink-muted tabular">
          {formatDuration(attempt.durationMs)} <AbsoluteTime value={attempt.startedAt} />
        </span>
      </div>
      {attempt.error ? (
        <p className="border-t border-line px-3 py-2 text-sm text-danger-text">{attempt.error}</p>
      ) : null}
      {attempt.requestHeaders ? (
        <Part title="Request headers">
          {Object.entries(attempt.requestHeaders)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        </Part>
      ) : null}
      {attempt.responseBody ? <Part title="Response body">{attempt.responseBody}</Part> : null}
    </li>
  );
}

/** A part of what was exchanged, folded until it is asked for. */
function Part({ title, children }: { title: string; children: string }) {
  return (
    <details className="border-t border-line">
      <summary className="px-3 py-2 text-xs font-medium text-ink-muted select-none hover:text-ink">
        {title}
      </summary>
      <pre className="max-h-40 overflow-auto border-t border-line bg-sunken px-3 py-2 font-mono text-xs break-all whitespace-pre-wrap">
        {children}
      </pre>
    </details>
  );
}

/** Whether an attempt failed and the next one is still to come. */
function waitsForRetry({ state, attempts, nextAttemptAt }: DeliveryDetail): boolean {
  return state === "pending" && attempts > 0 && nextAttemptAt !== null;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
