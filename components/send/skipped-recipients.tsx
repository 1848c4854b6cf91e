import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Explanation } from "../../server/sending/schemas.ts";
import { cn } from "../ui/cn.ts";
import { formatNumber, plural } from "../ui/format.ts";

/** How many of the recipients that were entered will get the message, and who will not and why, before it is sent. */
export function SkippedRecipients({
  recipients,
  messages,
  updating,
}: {
  recipients: number;
  messages: Explanation["messages"];
  updating: boolean;
}) {
  const skipped = messages.filter((message) => message.outcome !== "would_send");
  // The answer is about the recipients of a moment ago.
  const outdated = updating && messages.length !== recipients;
  return (
    <div role="status" className={cn("text-sm transition-opacity", updating && "opacity-60")}>
      {outdated ? (
        <p className="text-ink-muted">Checking {plural(recipients, "recipient")}…</p>
      ) : skipped.length === 0 ? (
        <p className="flex items-center gap-1.5 text-success-text">
          <CircleCheck className="size-4 shrink-0" aria-hidden />
          {recipients === 1
            ? "1 recipient will get it"
            : `All ${formatNumber(recipients)} recipients will get it`}
        </p>
      ) : (
        <>
          <p className="flex items-center gap-1.5 text-warning-text">
            <TriangleAlert className="size-4 shrink-0" aria-hidden />
            {formatNumber(messages.length - skipped.length)} of {plural(messages.length, "recipient")} will
            get it
          </p>
          <ul className="mt-1 grid gap-0.5 pl-5.5 text-xs text-ink-muted">
            {skipped.map((message) => (
              <li key={message.recipient} className="break-words">
                <span className="tabular">{message.recipient}</span>:{" "}
                {message.reason?.detail ?? "can’t be sent"}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
