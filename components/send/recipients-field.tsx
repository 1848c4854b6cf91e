"use client";

import { X } from "lucide-react";
import { useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { Field } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { inputStyle } from "../ui/input.tsx";

/** Splits what was typed or pasted at commas, semicolons, spaces and line ends. */
export function splitRecipients(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export const maxRecipients = 20;

/** Addresses as chips. Enter, comma or leaving the field takes what was typed; a pasted list becomes several. */
export function RecipientsField({
  channel,
  recipients,
  onChange,
  text,
  onType,
  ownAddress,
  error,
}: {
  channel: string;
  recipients: readonly string[];
  onChange: (recipients: string[]) => void;
  /** What is being typed and is no recipient yet. */
  text: string;
  onType: (text: string) => void;
  /** The reader's own address when this channel can reach it. */
  ownAddress: string | null;
  error: string | undefined;
}) {
  /** How many were typed or pasted last that there was no room for. */
  const [left, setLeft] = useState(0);
  const phone = channel !== "email";

  function change(next: string[]) {
    setLeft(Math.max(0, next.length - maxRecipients));
    onChange(next.slice(0, maxRecipients));
  }
  function take(raw: string) {
    // Phone numbers are written with blanks: a blank separates only when a new number begins after it.
    const parts = phone
      ? splitRecipients(raw.replaceAll(/(?<=\d)[ ()-]+(?=\d|\()/g, ""))
      : splitRecipients(raw);
    if (parts.length > 0) change([...new Set([...recipients, ...parts])]);
    onType("");
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if ((event.key === "Enter" || event.key === "," || event.key === ";") && text.trim() !== "") {
      event.preventDefault();
      take(text);
    } else if (event.key === "Backspace" && text === "") {
      change(recipients.slice(0, -1));
    }
  }
  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const pasted = event.clipboardData.getData("text");
    if (!/[\n,;]/.test(pasted)) return;
    event.preventDefault();
    take(text + pasted);
  }

  return (
    <Field
      label={phone ? "Phone numbers" : "E-mail addresses"}
      hint={
        phone
          ? `International, starting with +. Up to ${maxRecipients}.`
          : `Up to ${maxRecipients}; separate them with a comma or Enter.`
      }
      error={
        error ??
        (left > 0
          ? `${plural(left, "recipient was", "recipients were")} not added: at most ${String(maxRecipients)}. Send to more with a broadcast.`
          : undefined)
      }
    >
      {(control) => (
        <div className={cn(inputStyle, "flex flex-wrap gap-1 p-1 focus-within:border-ring")}>
          {recipients.map((recipient) => (
            <span
              key={recipient}
              className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm bg-neutral-soft pr-0.5 pl-2 text-xs"
            >
              <span className="truncate tabular">{recipient}</span>
              <button
                type="button"
                aria-label={`Remove ${recipient}`}
                className="grid size-5 shrink-0 place-items-center rounded-sm text-ink-muted hover:text-ink"
                onClick={() => {
                  change(recipients.filter((each) => each !== recipient));
                  // The button is gone with its recipient.
                  document.getElementById(control.id)?.focus();
                }}
              >
                <X className="size-3" aria-hidden />
              </button>
            </span>
          ))}
          <input
            {...control}
            value={text}
            onChange={(event) => onType(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => take(text)}
            inputMode={phone ? "tel" : "email"}
            autoComplete="off"
            spellCheck={false}
            placeholder={recipients.length > 0 ? "" : phone ? "+49 151 12345678" : "ada@example.com"}
            className="h-6 min-w-40 flex-1 bg-transparent px-1.5 text-base outline-none sm:text-sm"
          />
          {ownAddress && !recipients.includes(ownAddress) ? (
            <Button
              variant="ghost"
              size="sm"
              className="h-6"
              onClick={() => change([...recipients, ownAddress])}
            >
              Add myself
            </Button>
          ) : null}
        </div>
      )}
    </Field>
  );
}
