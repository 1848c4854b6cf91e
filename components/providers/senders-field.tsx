"use client";

import { Plus, X } from "lucide-react";
import type { SenderIdentity } from "../../server/connections/schemas.ts";
import { channelLabel } from "../messages/channel.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { problemAt } from "./schema-fields.tsx";
import type { Problems } from "./schema-fields.tsx";

const placeholders = {
  sms: "ACME or +4915112345678",
  whatsapp: "+4915112345678",
  email: "Shop <shop@example.com>",
};

const everybodys = "*";

/**
 * Who messages come from, by channel and, when named, region, and whose each is.
 * @param units whom a sender can be given to; null: all are the connection's unit's
 * @param lent by the operator: only whose they are can be said
 */
export function SendersField({
  senders,
  channels,
  units,
  lent,
  onChange,
  problems,
}: {
  senders: readonly SenderIdentity[];
  channels: readonly SenderIdentity["channel"][];
  units: readonly { slug: string; name: string }[] | null;
  lent: boolean;
  onChange: (senders: SenderIdentity[]) => void;
  problems: Problems;
}) {
  const set = (index: number, change: Partial<SenderIdentity>) =>
    onChange(senders.map((sender, at) => (at === index ? { ...sender, ...change } : sender)));
  const [first] = channels;
  return (
    <div className="grid gap-2">
      {senders.map((sender, index) => {
        const problem = problemAt(problems, `/senders/${String(index)}`);
        const name = `sender ${String(index + 1)}`;
        return (
          // A row has no identity of its own before it is saved.
          <div key={index}>
            <div
              className={cn(
                "grid grid-cols-[7rem_minmax(0,1fr)_auto] gap-2",
                units
                  ? "sm:grid-cols-[8rem_5.5rem_minmax(0,1fr)_10rem_auto]"
                  : "sm:grid-cols-[8rem_5.5rem_minmax(0,1fr)_auto]",
              )}
            >
              <Select
                disabled={lent}
                aria-label={`Channel of ${name}`}
                value={sender.channel}
                onValueChange={(channel) => set(index, { channel: channel as SenderIdentity["channel"] })}
                options={[...new Set([...channels, sender.channel])].map((channel) => ({
                  value: channel,
                  label: channelLabel(channel),
                }))}
              />
              <Input
                aria-label={`Region of ${name}, two letters; empty: everywhere`}
                value={sender.region ?? ""}
                maxLength={2}
                disabled={lent}
                placeholder="Region"
                className="max-sm:order-last max-sm:col-span-2"
                onChange={(event) => set(index, { region: event.target.value.toUpperCase() })}
              />
              <Input
                aria-label={`Sender of ${name}`}
                aria-invalid={problem ? true : undefined}
                value={sender.sender}
                disabled={lent}
                placeholder={placeholders[sender.channel]}
                onChange={(event) => set(index, { sender: event.target.value })}
              />
              {units ? (
                <Select
                  aria-label={`Team of ${name}`}
                  className="max-sm:order-last max-sm:col-span-2"
                  value={sender.unit ?? everybodys}
                  onValueChange={(unit) => set(index, { unit: unit === everybodys ? null : unit })}
                  options={[
                    { value: everybodys, label: "All teams" },
                    ...units.map((unit) => ({ value: unit.slug, label: unit.name })),
                  ]}
                />
              ) : null}
              <Button
                variant="ghost"
                size="icon"
                disabled={lent}
                aria-label={`Remove ${name}`}
                onClick={() => onChange(senders.filter((_, at) => at !== index))}
              >
                <X aria-hidden />
              </Button>
            </div>
            {problem ? <p className="mt-1 text-xs text-danger-text">{problem}</p> : null}
          </div>
        );
      })}
      <div>
        <Button
          size="sm"
          disabled={first === undefined || lent}
          onClick={() => first && onChange([...senders, { channel: first, sender: "" }])}
        >
          <Plus aria-hidden /> Add a sender
        </Button>
      </div>
    </div>
  );
}

/** Without the rows that were left empty, and without regions that are. */
export function typedSenders(senders: readonly SenderIdentity[]): SenderIdentity[] {
  return senders
    .filter((sender) => sender.sender.trim() !== "")
    .map(({ channel, region, sender, unit }) => ({
      channel,
      ...(region === undefined || region === "" ? {} : { region }),
      sender: sender.trim(),
      unit: unit ?? null,
    }));
}
