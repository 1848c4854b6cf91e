"use client";

import { useId, type Ref } from "react";
import type { WebhookEvent } from "../../server/webhooks/schemas.ts";
import { eventsByName, webhookEvents } from "../../server/webhooks/vocabulary.ts";
import { Checkbox } from "../ui/checkbox.tsx";

const onlyIfChosen: readonly WebhookEvent[] = eventsByName;

const groups: readonly { label: string; events: readonly WebhookEvent[] }[] = [
  { label: "Message states", events: webhookEvents.filter((event) => event.startsWith("notification.")) },
  { label: "Consent", events: webhookEvents.filter((event) => event.startsWith("consent.")) },
  {
    label: "What recipients do, and problems",
    events: webhookEvents.filter(
      (event) => !/^(notification|consent)\./.test(event) && !onlyIfChosen.includes(event),
    ),
  },
  { label: "Not part of “All”, sent only if chosen", events: onlyIfChosen },
];

/** Which events an endpoint gets. */
export function EventPicker({
  selected,
  onChange,
  describedBy,
  ref,
}: {
  selected: readonly string[];
  onChange: (events: WebhookEvent[]) => void;
  /** Id of what is said about the choice. */
  describedBy?: string | undefined;
  /** Takes the focus when the choice is refused. */
  ref?: Ref<HTMLButtonElement>;
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
                  ref={event === groups[0]?.events[0] ? ref : undefined}
                  aria-describedby={describedBy}
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
