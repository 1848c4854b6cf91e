"use client";

import { ChevronRight, WandSparkles } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { cn } from "../../ui/cn.ts";
import { formatNumber, plural } from "../../ui/format.ts";
import { characterName, withPlainForms, writtenIn } from "./plain-forms.ts";
import type { Preview } from "./use-draft-preview.ts";

/** How the message is billed: encoding, segments, what is left of the last, and what makes it expensive. */
export function SmsFacts({
  segments,
  body,
  onBodyChange,
  className,
}: {
  segments: NonNullable<Preview["segments"]>;
  /** The text that the segments are of, to offer plain forms for what stands in it. */
  body: string;
  /** Absent: nothing can be replaced here. */
  onBodyChange?: ((body: string) => void) | undefined;
  className?: string;
}) {
  const [split, setSplit] = useState(false);
  const { perSegment, used, unicodeCharacters, plainForms } = segments;
  const unit = segments.encoding === "GSM-7" ? "characters" : "Unicode characters";
  const inText = writtenIn(body, unicodeCharacters);
  const replaceable = inText.filter((char) => char in plainForms);

  return (
    <div className={cn("grid grid-cols-1 gap-2.5", className)}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-0.5 text-sm">
        <strong className="font-semibold tabular">
          {plural(segments.segments, "segment")} in {segments.encoding}
        </strong>
        <span className="text-xs text-ink-muted tabular">
          {formatNumber(used)} of {perSegment} {unit}
          {segments.segments > 1 ? " in the last" : ""}, {formatNumber(perSegment - used)} left
        </span>
      </p>
      <div aria-hidden className="flex gap-1">
        {segments.parts.slice(0, 12).map((_, index) => (
          <span key={index} className="h-1.5 flex-1 overflow-hidden rounded-full bg-neutral-soft">
            <span
              className={cn(
                "block h-full rounded-full transition-[width]",
                segments.encoding === "UCS-2" ? "bg-warning" : "bg-accent",
              )}
              style={{
                width: index === segments.parts.length - 1 ? `${(used / perSegment) * 100}%` : "100%",
              }}
            />
          </span>
        ))}
      </div>
      {unicodeCharacters.length > 0 ? (
        <div className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-text">
          <p>
            {unicodeCharacters.length === 1 ? "This character needs" : "These characters need"} UCS-2, so a
            segment holds {perSegment} instead of {segments.segments === 1 ? 160 : 153}:
          </p>
          <p className="mt-1 flex flex-wrap gap-1">
            {unicodeCharacters.slice(0, 24).map((char) => (
              <span
                key={char}
                title={inText.includes(char) ? undefined : "Comes from a sample value"}
                className={cn(
                  "inline-grid h-6 min-w-6 place-items-center rounded-sm border border-current/30 px-1 font-mono text-xs",
                  !inText.includes(char) && "border-dashed",
                )}
              >
                {characterName(char)}
                {inText.includes(char) ? null : <span className="sr-only">, from a sample value</span>}
              </span>
            ))}
            {unicodeCharacters.length > 24 ? (
              <span className="self-center text-xs">and {unicodeCharacters.length - 24} more</span>
            ) : null}
          </p>
          {inText.length < unicodeCharacters.length ? (
            <p className="mt-1 text-xs">Dashed: out of a sample value, not of the text.</p>
          ) : null}
          {replaceable.length > 0 && onBodyChange ? (
            <Button size="sm" className="mt-2" onClick={() => onBodyChange(withPlainForms(body, plainForms))}>
              <WandSparkles aria-hidden /> Replace {replaceable.slice(0, 4).map(characterName).join(" ")}
              {replaceable.length > 4 ? " …" : ""} with plain forms
            </Button>
          ) : null}
        </div>
      ) : null}
      {segments.parts.length > 1 ? (
        <div>
          <Button
            size="sm"
            variant="ghost"
            className="-ml-2"
            aria-expanded={split}
            onClick={() => setSplit(!split)}
          >
            <ChevronRight className={cn("transition-transform", split && "rotate-90")} aria-hidden /> Where
            the segments end
          </Button>
          {split ? (
            <ol className="mt-1 grid gap-1">
              {segments.parts.map((part, index) => (
                <li
                  key={index}
                  className="grid grid-cols-[1.5rem_minmax(0,1fr)] rounded-md border border-line bg-canvas text-xs"
                >
                  <span className="border-r border-line py-1.5 text-center text-ink-muted tabular">
                    {index + 1}
                  </span>
                  <span className="px-2 py-1.5 break-words whitespace-pre-wrap">{part}</span>
                </li>
              ))}
            </ol>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
