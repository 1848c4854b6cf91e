"use client";

import { useId } from "react";
import type { WebhookEvent } from "../../server/webhooks/schemas.ts";
import { webhookEvents } from "../../server/webhooks/vocabulary.ts";
import { Checkbox } from "../ui/checkbox.tsx";

const groups: readonly { label: string; events: readonly WebhookEvent[] }[] = [
  { label: "Message states", events: webhookEvents.filter((event) => event.startsWith("notification.")) },
  { label: "Consent", events: webhookEvents.filter((event) => event.startsWith("consent.")) },
  {
    label: "What recipients do, and problems",
    events: webhookEvents.filter((event) => !/^(notification|consent|audit)\./.test(event)),
  },
  {
    label: "Audit trail, only when it is chosen",
    events: webhookEvents.filter((event) => event.startsWith("audit.")),
  },
];

/** Which events an endpoint gets. Nothing chosen means all, also kinds that come later. */
export function EventPicker({
  selected,
  onChange,
}: {
  selected: readonly string[];
  onChange: (events: WebhookEvent[]) => void;
}) {
  const id = useId();
  function toggle(event: WebhookEvent) {
    onChange(
      webhookEvents.filter((each) => (each === event ? !selected.includes(each) : selected.includes(each))),
    );
  }
  return (
    <div className="grid gap-4 rounded-md border border-line bg-canvas p-3">
      {groups.map((group) => (
        <fieldset key={group.label}>
          <legend className="mb-1.5 text-xs font-medium text-ink-muted">{group.label}</legend>
          <div className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
            {group.events.map((event) => (
              <div key={event} className="flex items-center gap-2">
                <Checkbox
                  id={`${id}-${event}`}
                  checked={selected.includes(event)}
                  onCheckedChange={() => toggle(event)}
                />
                <label htmlFor={`${id}-${event}`} className="font-mono text-xs">
                  {event}
                </label>
              </div>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
