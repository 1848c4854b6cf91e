"use client";

import { Plus, X } from "lucide-react";
import type { SenderIdentity } from "../../server/providers/schemas.ts";
import { channelLabel } from "../messages/channel.tsx";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { problemAt } from "./schema-fields.tsx";
import type { Problems } from "./schema-fields.tsx";

const placeholders = {
  sms: "ACME or +4915112345678",
  whatsapp: "+4915112345678",
  email: "Shop <shop@example.com>",
};

/** Who messages come from, by channel and, when named, region. */
export function SendersField({
  senders,
  channels,
  onChange,
  problems,
}: {
  senders: readonly SenderIdentity[];
  channels: readonly SenderIdentity["channel"][];
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
            <div className="grid grid-cols-[7rem_minmax(0,1fr)_auto] gap-2 sm:grid-cols-[8rem_5.5rem_minmax(0,1fr)_auto]">
              <Select
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
                placeholder="Region"
                className="max-sm:order-last max-sm:col-span-2"
                onChange={(event) => set(index, { region: event.target.value.toUpperCase() })}
              />
              <Input
                aria-label={`Sender of ${name}`}
                aria-invalid={problem ? true : undefined}
                value={sender.sender}
                placeholder={placeholders[sender.channel]}
                onChange={(event) => set(index, { sender: event.target.value })}
              />
              <Button
                variant="ghost"
                size="icon"
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
          disabled={first === undefined}
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
    .map(({ channel, region, sender }) => ({
      channel,
      sender: sender.trim(),
      ...(region === undefined || region === "" ? {} : { region }),
    }));
}
