"use client";

import { Download, Upload } from "lucide-react";
import { useState } from "react";
import type { ProviderDetail } from "../../server/connections/schemas.ts";
import { channelLabel } from "../messages/channel.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatMoney } from "../ui/format.ts";
import { PriceListImport } from "./price-list-import.tsx";

const shown = 8;

/** What a segment or message costs through the connection. */
export function PriceListCard({ connection, manages }: { connection: ProviderDetail; manages: boolean }) {
  const { priceList } = connection;
  const [importing, setImporting] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Price list"
        description="A segment of SMS, or a message, by country: the estimated cost of messages until the provider reports it."
        actions={
          <>
            {priceList.length > 0 ? (
              <Button size="sm" onClick={() => download(connection)}>
                <Download aria-hidden /> Export
              </Button>
            ) : null}
            {manages ? (
              <Button size="sm" onClick={() => setImporting(true)}>
                <Upload aria-hidden /> Import
              </Button>
            ) : null}
          </>
        }
      />
      <div className="px-4 pb-4 text-sm">
        {priceList.length === 0 ? (
          <p className="text-ink-muted">
            None: the cost of a message is unknown until the provider reports it.
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
      {importing ? <PriceListImport connection={connection} onClose={() => setImporting(false)} /> : null}
    </Card>
  );
}

/** As CSV in the form that an import reads. */
function download({ name, priceList }: ProviderDetail): void {
  const lines = priceList.map((entry) =>
    [entry.channel, entry.category ?? "", entry.country ?? "", entry.amount, entry.currency].join(","),
  );
  const text = ["channel,category,country,amount,currency", ...lines, ""].join("\n");
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `prices ${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
