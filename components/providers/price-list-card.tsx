"use client";

import { Download, History, Upload } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { ProviderDetail } from "../../server/connections/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatMoney, plural } from "../ui/format.ts";
import { PriceHistory } from "./price-history.tsx";
import { dayText, groupPrices, kindText, priceCsv, priceDay, priceText, volumeText } from "./price-words.ts";
import type { PriceGroup } from "./price-words.ts";

const PriceListImport = dynamic(() =>
  import("./price-list-import.tsx").then((module) => module.PriceListImport),
);

const shown = 8;

/** What a segment or message costs through the connection, today and next. */
export function PriceListCard({ connection, manages }: { connection: ProviderDetail; manages: boolean }) {
  const { can } = usePortal();
  const { priceList } = connection;
  const [importing, setImporting] = useState(false);
  const [history, setHistory] = useState(false);
  const [all, setAll] = useState(false);
  const groups = groupPrices(priceList, priceDay());
  return (
    <Card>
      <CardHeader
        title="Price list"
        description="Estimate per SMS segment or message until the provider reports the cost."
        actions={
          <>
            {can("costs:read") ? (
              <Button size="sm" onClick={() => setHistory(true)}>
                <History aria-hidden /> Changes
              </Button>
            ) : null}
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
        {groups.length === 0 ? (
          <p className="text-ink-muted">No price list. Costs are unknown until the provider reports them.</p>
        ) : (
          <>
            <ul className="grid gap-1.5">
              {(all ? groups : groups.slice(0, shown)).map((group) => (
                <GroupLine key={group.key} group={group} />
              ))}
            </ul>
            {groups.length > shown ? (
              <Button size="sm" variant="ghost" className="mt-2 -ml-2" onClick={() => setAll(!all)}>
                {all ? "Show fewer" : `Show all ${plural(groups.length, "price")}`}
              </Button>
            ) : null}
          </>
        )}
      </div>
      {importing ? <PriceListImport connection={connection} onClose={() => setImporting(false)} /> : null}
      {history ? <PriceHistory connectionId={connection.id} onClose={() => setHistory(false)} /> : null}
    </Card>
  );
}

function GroupLine({ group: { of, now, next, ended } }: { group: PriceGroup }) {
  const notes = [
    ...(now && volumeText(now) !== "" ? [volumeText(now)] : []),
    ...(now?.validTo !== undefined ? [`until ${dayText(now.validTo)}`] : []),
    ...(next ? [`then ${priceText(next)}`] : []),
    ...(!now && !next ? [plural(ended, "price has", "prices have") + " ended"] : []),
  ];
  return (
    <li>
      <div className="flex justify-between gap-4">
        <span>
          {kindText(of)} <span className="text-ink-muted">{of.country ?? "everywhere else"}</span>
        </span>
        {now ? (
          <span className="tabular-nums">{formatMoney(now.amount, now.currency)}</span>
        ) : (
          <span className="whitespace-nowrap text-ink-muted">no price today</span>
        )}
      </div>
      {notes.length > 0 ? <p className="text-xs text-ink-muted tabular-nums">{notes.join(", ")}</p> : null}
    </li>
  );
}

function download({ name, priceList }: ProviderDetail): void {
  const url = URL.createObjectURL(new Blob([priceCsv(priceList)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `prices ${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
