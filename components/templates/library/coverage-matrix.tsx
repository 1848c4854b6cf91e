"use client";

import { CircleDashed, CircleSlash, CornerDownRight, Plus, Power, Split } from "lucide-react";
import { useState } from "react";
import { ChannelIcon, channelLabel, channels } from "../../messages/channel.tsx";
import { usePortal } from "../../portal/portal-context.tsx";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/format.ts";
import { Link } from "../../ui/link.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { cellKind } from "./cell-kind.ts";
import { CoverageCellView } from "./coverage-cell.tsx";
import { newTemplatePath } from "./new-template-path.ts";
import type { Coverage, CoverageMatrix } from "./types.ts";
import { useMay } from "./use-may.ts";

/** Which text is used for which region and language: a table for each channel. */
export function CoverageMatrices({ coverage }: { coverage: Coverage }) {
  const { href } = usePortal();
  const may = useMay();
  const covered = channels.filter((channel) =>
    coverage.matrices.some((matrix) => matrix.channel === channel),
  );
  const missing = channels.filter((channel) => !covered.includes(channel));
  return (
    <div className="divide-y divide-line border-t border-line">
      {covered.map((channel) => (
        <ChannelCoverage
          key={channel}
          coverage={coverage}
          matrices={coverage.matrices.filter((matrix) => matrix.channel === channel)}
        />
      ))}
      {missing.length > 0 && may("templates:write", coverage.applicationId) ? (
        <div className="flex flex-wrap items-center gap-2 px-4 py-3 text-sm text-ink-muted">
          Not written for
          {missing.map((channel) => (
            <Button asChild size="sm" key={channel}>
              <Link
                href={href(...newTemplatePath({ ...coverage, channel, from: coverage.templates[0]?.id }))}
              >
                <Plus aria-hidden /> {channelLabel(channel)}
              </Link>
            </Button>
          ))}
        </div>
      ) : null}
      <Legend truncated={coverage.truncated} />
    </div>
  );
}

/** No adapter has such a name. */
const anyProvider = "*";

function ChannelCoverage({ coverage, matrices }: { coverage: Coverage; matrices: CoverageMatrix[] }) {
  const { environments, href } = usePortal();
  const [provider, setProvider] = useState(anyProvider);
  const matrix = matrices.find((each) => (each.provider ?? anyProvider) === provider) ?? matrices[0];
  if (!matrix) return null;
  const label = channelLabel(matrix.channel);
  const missing = matrix.cells.filter((cell) => cellKind(cell) === "missing").length;
  const nothingLive = matrices.every((each) => each.cells.every((cell) => cell.templateId === null));
  const environment = environments.find((each) => each.id === coverage.environmentId)?.name;
  if (nothingLive) {
    return (
      <section aria-label={label} className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-4 text-sm">
        <h3 className="flex items-center gap-2 font-semibold">
          <ChannelIcon channel={matrix.channel} />
          {label}
        </h3>
        <p className="text-danger-text">
          Nothing is used in {environment ?? "this environment"}: such requests are refused.
        </p>
        <Link
          href={href("/pipeline", { application: coverage.application })}
          className="text-accent-text underline-offset-4 hover:underline"
        >
          Open the pipeline
        </Link>
      </section>
    );
  }
  return (
    <section aria-label={label} className="px-4 py-4">
      <header className="mb-2.5 flex flex-wrap items-center justify-between gap-2">
        <h3 className="flex items-center gap-2 text-sm font-semibold">
          <ChannelIcon channel={matrix.channel} />
          {label}
          <span className={missing > 0 ? "font-normal text-danger-text" : "font-normal text-ink-muted"}>
            {missing > 0 ? plural(missing, "gap") : "everyone is covered"}
          </span>
        </h3>
        {matrices.length > 1 ? (
          <Segmented
            label="Provider"
            value={provider}
            onValueChange={setProvider}
            options={matrices.map((each) => ({
              value: each.provider ?? anyProvider,
              label: each.provider ?? "Any other provider",
            }))}
          />
        ) : null}
      </header>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={`Coverage of ${label}`}>
        <table className="border-separate border-spacing-0.5 text-sm">
          <caption className="sr-only">
            {label}: regions in rows, languages in columns, and the text that is used
          </caption>
          <thead>
            <tr>
              <th scope="col" className="h-8 px-2 text-left text-xs font-medium text-ink-muted">
                Region
              </th>
              {matrix.languages.map((language) => (
                <th
                  key={language ?? ""}
                  scope="col"
                  className="px-2 text-left text-xs font-medium whitespace-nowrap text-ink-muted"
                >
                  {language ?? "Other languages"}
                  {language === coverage.defaultLanguage ? (
                    <span className="text-ink-faint"> default</span>
                  ) : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrix.regions.map((region, row) => (
              <tr key={region ?? ""}>
                <th
                  scope="row"
                  className="px-2 text-left text-xs font-medium whitespace-nowrap text-ink-muted"
                >
                  {region ?? "Other regions"}
                  {region === coverage.defaultRegion ? (
                    <span className="text-ink-faint"> default</span>
                  ) : null}
                </th>
                {matrix.languages.map((language, column) => {
                  const cell = matrix.cells[row * matrix.languages.length + column];
                  return (
                    <td key={language ?? ""} className="p-0">
                      {cell ? <CoverageCellView coverage={coverage} matrix={matrix} cell={cell} /> : null}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Legend({ truncated }: { truncated: boolean }) {
  return (
    <div className="px-4 py-3 text-xs text-ink-muted">
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5">
        <li>
          <strong className="font-medium text-ink">DE de</strong> written for this region and language
        </li>
        <li>
          <span className="text-ink">de</span> written for the language, in any region
        </li>
        <li className="inline-flex items-center gap-1.5">
          <CornerDownRight className="size-3.5" aria-hidden /> falls back to another language
        </li>
        <li className="inline-flex items-center gap-1.5 text-danger-text">
          <CircleSlash className="size-3.5" aria-hidden /> requests are refused
        </li>
        <li className="inline-flex items-center gap-1.5">
          <Power className="size-3.5 text-danger-text" aria-hidden /> a better match is switched off
        </li>
        <li className="inline-flex items-center gap-1.5">
          <CircleDashed className="size-3.5 text-warning-text" aria-hidden /> a better match is not live here
          yet
        </li>
        <li className="inline-flex items-center gap-1.5">
          <Split className="size-3.5 text-warning-text" aria-hidden /> requests by type get another name's
          text
        </li>
      </ul>
      {truncated ? (
        <p className="mt-2">
          Too many regions or languages for one table. See the list of variants for the rest.
        </p>
      ) : null}
    </div>
  );
}
