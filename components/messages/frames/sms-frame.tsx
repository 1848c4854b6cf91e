"use client";

import { Fragment } from "react";
import { cn } from "../../ui/cn.ts";
import type { Rendered } from "../rendered-message.tsx";
import { LinkedText } from "./linked-text.tsx";
import { PhoneFrame } from "./phone-frame.tsx";

/** A text message. Phones join its segments again, so it is one bubble however many are billed. */
export function SmsFrame({ message, className }: { message: Rendered; className?: string }) {
  return (
    <PhoneFrame from={message.from ?? "SMS"} kind="Text message" at={message.at} className={className}>
      {({ day, time }) => (
        <>
          <p className="text-center text-2xs text-ink-muted">
            {day} <span className="tabular">{time}</span>
          </p>
          <div className="max-w-[92%] self-start rounded-2xl rounded-bl-sm border border-line bg-surface px-3 py-2 text-sm break-words whitespace-pre-wrap">
            {message.compared ? (
              <ComparedText {...message.compared} />
            ) : (
              <LinkedText text={message.text ?? ""} />
            )}
          </div>
        </>
      )}
    </PhoneFrame>
  );
}

function ComparedText({ pieces, tone }: NonNullable<Rendered["compared"]>) {
  return pieces.map((piece, index) =>
    piece.changed ? (
      <mark
        key={index}
        className={cn("rounded-[2px] text-ink", tone === "added" ? "bg-success/25" : "bg-danger/25")}
      >
        <span className="sr-only">{tone === "added" ? "Added: " : "Removed: "}</span>
        {piece.text}
      </mark>
    ) : (
      <Fragment key={index}>{piece.text}</Fragment>
    ),
  );
}
