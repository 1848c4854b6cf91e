"use client";

import { Maximize2, Monitor, Paperclip, Smartphone } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import type { Rendered } from "../rendered-message.tsx";
import { inboxSnippet } from "./inbox-snippet.ts";

/** Widths that mails are designed for, in CSS pixels. */
const widths = { desktop: 640, mobile: 375 } as const;
const height = 448;

/** A mail: its line in the inbox, then the message as HTML or plain text, wide or on a phone. */
export function MailFrame({ message, className }: { message: Rendered; className?: string }) {
  const [device, setDevice] = useState<keyof typeof widths>("desktop");
  const [chosenView, setView] = useState<"html" | "text">("html");
  const [large, setLarge] = useState(false);
  const hasBoth = Boolean(message.html) && Boolean(message.text);
  const view = hasBoth ? chosenView : message.html ? "html" : "text";
  const attachments = message.attachments ?? [];
  const name = message.fromName ?? message.from;

  return (
    <div className={cn("overflow-hidden rounded-lg border border-line bg-surface", className)}>
      <div className="flex items-start gap-3 border-b border-line bg-canvas px-4 py-3">
        <span
          aria-hidden
          className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent-text"
        >
          {(/\p{L}/u.exec(name ?? "")?.[0] ?? "@").toUpperCase()}
        </span>
        <div className="min-w-0 flex-1">
          {name ? (
            <p className="truncate text-sm">
              <span className="font-medium">{name}</span>
              {message.fromName && message.from ? (
                <span className="text-xs text-ink-muted"> {message.from}</span>
              ) : null}
            </p>
          ) : null}
          <p className="font-semibold break-words">{message.subject || "(no subject)"}</p>
          <Snippet message={message} />
          {message.replyTo ? (
            <p className="mt-0.5 text-xs break-all text-ink-muted">Answers go to {message.replyTo}</p>
          ) : null}
        </div>
      </div>
      {message.html ? (
        <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-1.5">
          {hasBoth ? (
            <Segmented
              label="Part of the mail"
              value={view}
              onValueChange={setView}
              options={[
                { value: "html", label: "HTML" },
                { value: "text", label: "Plain text" },
              ]}
            />
          ) : (
            <span className="text-xs text-ink-muted">HTML</span>
          )}
          {view === "html" ? (
            <span className="flex items-center gap-1">
              <Segmented
                label="Width"
                value={device}
                onValueChange={setDevice}
                options={[
                  { value: "desktop", label: <Monitor aria-hidden />, title: "Desktop" },
                  { value: "mobile", label: <Smartphone aria-hidden />, title: "Phone" },
                ]}
              />
              <Button
                variant="ghost"
                size="iconSm"
                aria-label="Show the mail larger"
                title="Larger"
                onClick={() => setLarge(true)}
              >
                <Maximize2 aria-hidden />
              </Button>
            </span>
          ) : null}
        </div>
      ) : null}
      {view === "html" && message.html ? (
        <HtmlView html={message.html} width={widths[device]} height={height} />
      ) : (
        <pre
          style={{ height: message.html ? height : undefined }}
          tabIndex={0}
          aria-label="Plain text of the mail"
          className="max-h-112 overflow-auto px-4 py-4 font-sans text-sm break-words whitespace-pre-wrap"
        >
          {message.text ?? ""}
        </pre>
      )}
      {message.html ? (
        <Dialog
          open={large}
          onOpenChange={setLarge}
          title={message.subject || "(no subject)"}
          className="top-[4vh] max-h-[92vh] max-w-5xl"
        >
          {large ? (
            <HtmlView
              html={message.html}
              width={widths[device]}
              height={Math.max(320, Math.round(window.innerHeight * 0.76))}
            />
          ) : null}
        </Dialog>
      ) : null}
      {attachments.length > 0 ? (
        <ul
          aria-label="Attachments"
          className="flex flex-wrap gap-2 border-t border-line bg-canvas px-4 py-3"
        >
          {attachments.map((attachment, index) => (
            <li
              key={index}
              title={attachment.url}
              className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-surface px-2 py-1 text-xs"
            >
              <Paperclip className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
              <span className="truncate">{attachment.filename}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** What an inbox shows after the subject. */
function Snippet({ message }: { message: Rendered }) {
  const hydrated = useHydrated();
  const text = useMemo(
    () => inboxSnippet(message.html, message.text, hydrated),
    [message.html, message.text, hydrated],
  );
  return text === "" ? null : <p className="truncate text-sm text-ink-muted">{text}</p>;
}

/**
 * HTML runs in a frame without scripts, forms, navigation or our origin: the sandbox attribute is empty.
 * Links carry no referrer and cannot replace the portal. Where there is less room than the mail is designed for, the
 * frame is drawn smaller instead of narrower.
 */
function HtmlView({ html, width, height }: { html: string; width: number; height: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<number>(width);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // A wide pane shows more of a desktop mail; a phone stays a phone.
  const drawn = width === widths.desktop ? Math.max(width, room) : width;
  const scale = room > 0 ? Math.min(1, room / drawn) : 1;
  return (
    <div ref={box} className="flex justify-center overflow-hidden bg-sunken" style={{ height }}>
      <iframe
        title="Rendered e-mail"
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={html}
        style={{
          width: drawn,
          height: height / scale,
          transform: `scale(${scale})`,
          transformOrigin: scale < 1 ? "top left" : "top center",
          marginRight: scale < 1 ? room - drawn : undefined,
        }}
        className="block shrink-0 bg-[Canvas] [color-scheme:light]"
      />
    </div>
  );
}
