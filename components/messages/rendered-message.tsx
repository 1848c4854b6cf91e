"use client";

import { CheckCheck } from "lucide-react";
import { cn } from "../ui/cn.ts";

export type Rendered = {
  channel: string;
  /** Sender as the recipient sees it. */
  from?: string | null;
  subject?: string | null;
  /** Plain text of an SMS or WhatsApp message, or the text part of a mail. */
  text?: string | null;
  html?: string | null;
};

/** A message as its recipient sees it: a mail window, or a phone with a bubble. */
export function RenderedMessage({ message, className }: { message: Rendered; className?: string }) {
  if (message.channel === "email") return <MailFrame message={message} className={className} />;
  return <PhoneFrame message={message} className={className} />;
}

/**
 * HTML runs in a frame without scripts, forms, navigation or our origin: the sandbox attribute is empty.
 * Links carry no referrer and cannot replace the portal.
 */
function MailFrame({ message, className }: { message: Rendered; className?: string }) {
  return (
    <div className={cn("overflow-hidden rounded-lg border border-line bg-surface", className)}>
      <div className="border-b border-line bg-canvas px-4 py-3">
        <p className="font-semibold break-words">{message.subject ?? "(no subject)"}</p>
        {message.from ? <p className="mt-0.5 text-xs break-all text-ink-muted">From {message.from}</p> : null}
      </div>
      {message.html ? (
        <iframe
          title="Rendered e-mail"
          sandbox=""
          referrerPolicy="no-referrer"
          srcDoc={message.html}
          className="block h-96 w-full bg-[Canvas] [color-scheme:light]"
        />
      ) : (
        <pre className="max-h-96 overflow-auto px-4 py-4 font-sans text-sm break-words whitespace-pre-wrap">
          {message.text ?? ""}
        </pre>
      )}
    </div>
  );
}

function PhoneFrame({ message, className }: { message: Rendered; className?: string }) {
  const whatsapp = message.channel === "whatsapp";
  return (
    <div
      className={cn(
        "mx-auto w-full max-w-72 self-start overflow-hidden rounded-[1.75rem] border-[5px] border-line-strong bg-sunken shadow-xs",
        className,
      )}
    >
      <div className="flex flex-col items-center gap-1 border-b border-line bg-surface px-4 pt-3.5 pb-2.5">
        <span aria-hidden className="mb-1 h-1 w-12 rounded-full bg-line-strong" />
        <p className="max-w-full truncate text-sm font-semibold">
          {message.from ?? (whatsapp ? "WhatsApp" : "SMS")}
        </p>
      </div>
      <div className="min-h-56 px-3 py-4">
        <div
          className={cn(
            "max-w-[92%] rounded-2xl rounded-bl-sm px-3 py-2 text-sm break-words whitespace-pre-wrap",
            whatsapp ? "bg-success-soft" : "border border-line bg-surface",
          )}
        >
          {message.text ?? ""}
          {whatsapp ? <CheckCheck className="ml-auto mt-1 size-3.5 text-ink-faint" aria-hidden /> : null}
        </div>
      </div>
    </div>
  );
}
