"use client";

import type { ProviderDetail } from "../../server/providers/schemas.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatMoney } from "../ui/format.ts";
import { channelLabel } from "../messages/channel.tsx";

const shown = 8;

/** What a segment or message costs through the connection. */
export function PriceListCard({ connection }: { connection: ProviderDetail; manages: boolean }) {
  const { priceList } = connection;
  return (
    <Card>
      <CardHeader
        title="Price list"
        description="A segment of SMS, or a message, by country: what messages are reckoned to cost until the provider tells."
      />
      <div className="px-4 pb-4 text-sm">
        {priceList.length === 0 ? (
          <p className="text-ink-muted">
            None: nothing is known of a message’s cost before the provider tells it.
          </p>
        ) : (
          <ul className="grid gap-1">
            {priceList.slice(0, shown).map((entry) => (
              <li
                key={`${entry.channel} ${entry.category ?? ""} ${entry.country ?? ""}`}
                className="flex justify-between gap-4"
              >
                <span>
                  {channelLabel(entry.channel)}
                  {entry.category ? `, ${entry.category}` : ""}{" "}
                  <span className="text-ink-muted">{entry.country ?? "everywhere else"}</span>
                </span>
                <span className="tabular-nums">{formatMoney(entry.amount, entry.currency)}</span>
              </li>
            ))}
            {priceList.length > shown ? (
              <li className="text-ink-muted">and {priceList.length - shown} more</li>
            ) : null}
          </ul>
        )}
      </div>
    </Card>
  );
}
