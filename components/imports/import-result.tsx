"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { ImportDetails } from "../../server/imports/schemas.ts";
import { importLimits } from "../../server/imports/vocabulary.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { FormError } from "../ui/field.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { kindWords } from "./import-words.ts";

/** What a dry run found, or what a run did. */
export function ImportResult({ one, onRemap }: { one: ImportDetails; onRemap: () => void }) {
  const { environments, href } = usePortal();
  const trpc = useTRPC();
  const refresh = useRefresh("imports");
  const place = environments.find(({ id }) => id === one.environmentId);
  const start = useMutation(trpc.imports.start.mutationOptions({ onSuccess: () => refresh() }));
  const checked = one.state === "checked";
  const { created, updated, unchanged, failed } = one.counts;
  const written = created + updated;
  const what = kindWords[one.kind].rows;
  return (
    <>
      <Card>
        <CardHeader
          title={checked ? "Preview" : one.state === "finished" ? "Result" : "Result before it ended"}
          description={checked ? "Nothing has changed yet." : undefined}
          actions={
            checked || written === 0 ? null : (
              <Button asChild size="sm">
                <Link href={href(kindWords[one.kind].path, { env: place?.slug })}>
                  Show {kindWords[one.kind].label.toLowerCase()}
                </Link>
              </Button>
            )
          }
        />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line px-4 py-4 sm:grid-cols-4">
          <Figure label={`New ${what}`} value={created} />
          {one.kind === "consent" ? null : (
            <Figure label={one.kind === "suppressions" ? "Extended" : "Changed"} value={updated} />
          )}
          <Figure label={one.kind === "contacts" ? "Unchanged" : "Already known"} value={unchanged} />
          <Figure label="Rows with errors" value={failed} danger={failed > 0} />
        </dl>
        {checked ? (
          <div className="grid gap-3 border-t border-line px-4 py-3">
            {start.isError ? (
              <FormError title="The import has not started">{errorText(start.error)}</FormError>
            ) : null}
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="text-sm text-ink-muted">
                {written === 0
                  ? "Nothing to import."
                  : failed > 0
                    ? "Rows with errors are skipped. You can import a corrected file afterwards."
                    : "All rows can be imported."}
              </p>
              <div className="flex flex-wrap gap-2">
                <Button onClick={onRemap}>Change columns</Button>
                <Button
                  variant="primary"
                  disabled={written === 0}
                  pending={start.isPending}
                  onClick={() => start.mutate({ id: one.id })}
                >
                  Import {plural(written, "row")}
                </Button>
              </div>
            </div>
          </div>
        ) : null}
      </Card>
      {one.errors.length > 0 ? <Errors one={one} /> : null}
    </>
  );
}

function Figure({ label, value, danger }: { label: ReactNode; value: number; danger?: boolean }) {
  return (
    <div>
      <dt className="text-xs text-ink-muted">{label}</dt>
      <dd className={`mt-0.5 text-xl font-semibold tabular ${danger ? "text-danger-text" : ""}`}>
        {formatNumber(value)}
      </dd>
    </div>
  );
}

function Errors({ one }: { one: ImportDetails }) {
  const { tenant } = usePortal();
  const more = one.counts.failed > importLimits.errorsKept;
  return (
    <Card>
      <CardHeader
        title="Errors"
        description={
          more
            ? `The first ${formatNumber(importLimits.errorsKept)} are kept, of ${plural(one.counts.failed, "row")}.`
            : "By row and column of the file. The header is row 1."
        }
        actions={
          <Button asChild size="sm">
            <a href={`/${tenant.slug}/imports/${one.id}/errors`} download>
              <Download aria-hidden /> Download
            </a>
          </Button>
        }
      />
      <div className="overflow-x-auto border-t border-line">
        <table className="w-full text-sm">
          <caption className="sr-only">Errors by row and column</caption>
          <thead>
            <tr className="border-b border-line bg-canvas text-left text-xs text-ink-muted">
              <th scope="col" className="h-8 w-20 px-4 font-medium">
                Row
              </th>
              <th scope="col" className="w-48 px-4 font-medium">
                Column
              </th>
              <th scope="col" className="px-4 font-medium">
                Problem
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {one.errors.map(({ row, column, detail }, index) => (
              <tr key={index} className="align-top">
                <td className="px-4 py-2 tabular">{formatNumber(row)}</td>
                <td className="px-4 py-2 break-words">
                  {column ?? <span className="text-ink-faint">The whole row</span>}
                </td>
                <td className="min-w-56 px-4 py-2">{detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {one.errors.length === importLimits.errorsShown ? (
        <p className="border-t border-line px-4 py-2.5 text-sm text-ink-muted">
          The download has {more ? `the first ${formatNumber(importLimits.errorsKept)}` : "all of them"}.
        </p>
      ) : null}
    </Card>
  );
}
