"use client";

import { ArrowRightLeft, Pencil, RefreshCw, Trash2 } from "lucide-react";
import type { ApiKeySummary } from "../../server/access/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useShortcut } from "../shortcuts/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { Facts } from "../ui/card.tsx";
import { plural } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { ApiKeyState } from "./api-key-state.tsx";
import { numberFormat } from "../ui/intl.ts";
import { named } from "../ui/isolated.ts";

export type KeyAction = "edit" | "handOver" | "rotate" | "revoke";

const ended = (key: ApiKeySummary) => key.state === "revoked" || key.state === "expired";

/** One key beside the list: whose it is, what it is for, what limits it, and what can be done about it. */
export function KeyPanel({
  apiKey,
  scope,
  asking,
  onAsk,
  onClose,
}: {
  apiKey: ApiKeySummary;
  /** What it works for. */
  scope: string;
  /** A dialog is open above the panel. */
  asking: boolean;
  onAsk: (what: KeyAction) => void;
  onClose: () => void;
}) {
  const { can, environments } = usePortal();
  useShortcut("Escape", onClose, { label: "Close panel", enabled: !asking });
  const environment = environments.find(({ id }) => id === apiKey.environmentId)?.name ?? "–";
  const { agent } = apiKey;
  return (
    <Sheet
      open
      onClose={onClose}
      title={named(apiKey.name)}
      subtitle={
        <span className="flex flex-wrap items-center gap-2">
          <ApiKeyState state={apiKey.state} />
          <code className="font-mono text-xs">{apiKey.hint}</code>
        </span>
      }
    >
      {apiKey.purpose ? (
        <Section title="Purpose">
          <p className="text-sm break-words">{apiKey.purpose}</p>
        </Section>
      ) : null}
      <Section title="Details">
        <Facts
          items={[
            { label: "Owner", value: apiKey.owner?.name ?? "Nobody (created at set-up)" },
            { label: "Scope", value: scope },
            { label: "Environment", value: environment },
            { label: "Role", value: apiKey.role.name },
            {
              label: "Last used",
              value: apiKey.lastUsedAt ? (
                <>
                  <RelativeTime value={apiKey.lastUsedAt} />
                  {apiKey.lastUsedFrom ? (
                    <>
                      {" "}
                      from <code className="font-mono text-xs">{apiKey.lastUsedFrom}</code>
                    </>
                  ) : null}
                </>
              ) : (
                "Never"
              ),
            },
            {
              label: "Expires",
              value: apiKey.expiresAt ? <AbsoluteTime value={apiKey.expiresAt} /> : "Never",
            },
            {
              label: "Requests",
              value: `${numberFormat().format(apiKey.rateLimitPerMinute)} a minute`,
            },
            {
              label: "Allowed from",
              value:
                apiKey.allowedNetworks.length === 0 ? (
                  "Anywhere"
                ) : (
                  <Entries entries={apiKey.allowedNetworks} />
                ),
            },
            { label: "Created", value: <AbsoluteTime value={apiKey.createdAt} /> },
          ]}
        />
      </Section>
      {agent ? (
        <Section title="Limits of the agent">
          <Facts
            items={[
              {
                label: "May write to",
                value: <Entries entries={agent.recipients} />,
              },
              {
                label: "Messages per hour",
                value: `${numberFormat().format(agent.hourlyCap)}; ${plural(agent.usedLastHour, "message")} in the last one`,
              },
              {
                label: "Sends in",
                value: agent.laterStages
                  ? "All stages; in production a person approves each request"
                  : "The sandbox and the first stage of a pipeline",
              },
              { label: "Never", value: "Approve or manage anything, whatever its role" },
            ]}
          />
          {can("content:reveal") ? null : (
            <p className="mt-2 text-xs text-ink-muted">You don't have access to addresses.</p>
          )}
        </Section>
      ) : null}
      {ended(apiKey) ? null : (
        <Section title="Actions">
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => onAsk("edit")}>
              <Pencil aria-hidden /> Change…
            </Button>
            <Button onClick={() => onAsk("handOver")}>
              <ArrowRightLeft aria-hidden /> Hand over…
            </Button>
            <Button onClick={() => onAsk("rotate")}>
              <RefreshCw aria-hidden /> Rotate…
            </Button>
            <Button variant="quietDanger" onClick={() => onAsk("revoke")}>
              <Trash2 aria-hidden /> Revoke…
            </Button>
          </div>
        </Section>
      )}
    </Sheet>
  );
}

function Entries({ entries }: { entries: readonly string[] }) {
  return (
    <ul className="grid max-h-48 gap-0.5 overflow-y-auto font-mono text-xs">
      {entries.map((entry) => (
        <li key={entry} className="break-all">
          {entry}
        </li>
      ))}
    </ul>
  );
}
