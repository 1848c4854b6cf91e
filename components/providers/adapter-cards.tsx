import type { ProviderAdapter } from "../../server/connections/schemas.ts";
import { ChannelIcon, channelLabel } from "../messages/channel.tsx";
import { AdapterName } from "./adapter-name.tsx";

const groups = [
  { title: "E-mail", has: (channels: readonly string[]) => channels.join() === "email" },
  { title: "SMS", has: (channels: readonly string[]) => channels.join() === "sms" },
  { title: "WhatsApp", has: (channels: readonly string[]) => channels.join() === "whatsapp" },
  { title: "Several channels", has: (channels: readonly string[]) => channels.length > 1 },
] as const;

/** The kinds of providers to choose from, by what they carry. */
export function AdapterCards({
  adapters,
  onChoose,
}: {
  adapters: readonly ProviderAdapter[];
  onChoose: (adapter: ProviderAdapter) => void;
}) {
  return (
    <div className="grid gap-6">
      {groups.map((group) => {
        const members = adapters.filter(({ channels, name }) => name !== "simulator" && group.has(channels));
        if (members.length === 0) return null;
        return (
          <section key={group.title} aria-label={group.title}>
            <h2 className="mb-2 text-sm font-semibold">{group.title}</h2>
            <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {members.map((adapter) => (
                <li key={adapter.name}>
                  <button
                    type="button"
                    onClick={() => onChoose(adapter)}
                    className="grid h-full w-full content-start gap-1.5 rounded-lg border border-line bg-surface px-4 py-3.5 text-left shadow-xs transition-colors hover:border-line-strong hover:bg-hover"
                  >
                    <span className="flex items-center justify-between gap-3">
                      <span className="font-medium">
                        <AdapterName adapter={adapter.name} />
                      </span>
                      <span className="flex gap-2">
                        {adapter.channels.map((channel) => (
                          <ChannelIcon key={channel} channel={channel} />
                        ))}
                      </span>
                    </span>
                    <span className="text-xs text-ink-muted">{sentence(adapter)}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

const inWords = new Intl.ListFormat("en", { style: "long", type: "conjunction" });

function sentence(adapter: ProviderAdapter): string {
  const parts = [inWords.format(adapter.channels.map(channelLabel))];
  parts.push(adapter.receipts.length > 0 ? "reports deliveries" : "no delivery reports");
  if (adapter.inbound.length > 0) parts.push("receives answers");
  return `${parts.join(", ")}.`;
}
