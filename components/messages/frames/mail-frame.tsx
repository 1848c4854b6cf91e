"use client";

import { Maximize2, Monitor, Paperclip, Smartphone } from "lucide-react";
import { useCallback, useMemo, useState, type CSSProperties } from "react";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import type { Rendered } from "../rendered-message.tsx";
import { inboxSnippet } from "./inbox-snippet.ts";

/** What a mail is drawn for: a desktop, a phone, or whichever of the two can be read in the room there is. */
type MailWidth = "desktop" | "mobile" | "fitting";

/** Room that `fitting` takes for a desktop's, in CSS pixels; `mail-sheet` of globals.css has the same. */
const desktopFrom = 480;
/** Never higher than what a zoomed window shows of it. */
const height = "min(28rem, 80dvh)";

/** A mail: its line in the inbox, then the message as HTML or plain text, wide or on a phone. */
export function MailFrame({ message, className }: { message: Rendered; className?: string }) {
  const [chosen, setChosen] = useState<MailWidth>("fitting");
  const [wide, observeRoom] = useWideEnough();
  const [chosenView, setView] = useState<"html" | "text">("html");
  const [large, setLarge] = useState(false);
  const hasBoth = Boolean(message.html) && Boolean(message.text);
  const view = hasBoth ? chosenView : message.html ? "html" : "text";
  const attachments = message.attachments ?? [];
  const name = message.fromName ?? message.from;

  return (
    <div
      ref={observeRoom}
      className={cn("overflow-hidden rounded-lg border border-line bg-surface", className)}
    >
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
          <p dir="auto" className="font-semibold break-words">
            {message.subject || "(no subject)"}
          </p>
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
                value={chosen === "fitting" ? (wide === false ? "mobile" : "desktop") : chosen}
                onValueChange={setChosen}
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
        <HtmlView html={message.html} width={chosen} height={height} />
      ) : (
        <pre
          style={{ height: message.html ? height : undefined }}
          tabIndex={0}
          aria-label="Plain text of the mail"
          className="max-h-[min(28rem,80dvh)] overflow-auto px-4 py-4 font-sans text-sm break-words whitespace-pre-wrap"
        >
          {message.text ?? ""}
        </pre>
      )}
      {message.html ? (
        <Dialog
          open={large}
          onClose={() => setLarge(false)}
          title={message.subject || "(no subject)"}
          className="top-[4vh] max-h-[92vh] max-w-5xl"
        >
          {large ? <HtmlView html={message.html} width={chosen} height="max(20rem, 76dvh)" /> : null}
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
 * frame is drawn smaller instead of narrower; `mail-sheet` of globals.css does that before any script runs.
 */
function HtmlView({ html, width, height }: { html: string; width: MailWidth; height: string }) {
  return (
    <div
      className="mail-room overflow-hidden bg-sunken"
      style={{ height, "--mail-height": height } as CSSProperties}
    >
      <iframe
        title="Rendered e-mail"
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={html}
        data-width={width}
        className="mail-sheet block max-w-none bg-[Canvas] [color-scheme:light]"
      />
    </div>
  );
}

/** Whether an element has room for a mail on a desktop; null until that is known. */
function useWideEnough() {
  const [wide, setWide] = useState<boolean | null>(null);
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(
      ([entry]) => entry && setWide(entry.contentRect.width >= desktopFrom),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [wide, observe] as const;
}
