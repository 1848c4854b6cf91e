"use client";

import type { Timeline } from "../../server/sending/schemas.ts";
import type { ReactNode } from "react";
import { usePortal } from "../portal/portal-context.tsx";
import { Facts } from "../ui/card.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { formatMoney, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { MaskedValue } from "../ui/masked-value.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { ChannelMark } from "./channel.tsx";
import { statusFace } from "./status.ts";

/** Identity and figures of one message. */
export function MessageFacts({ timeline }: { timeline: Timeline }) {
  const { href, can } = usePortal();
  const { notification: message, revealed } = timeline;
  const optional = (label: string, moment: string | null) =>
    moment === null ? null : { label, value: <AbsoluteTime value={moment} /> };
  return (
    <Facts
      items={[
        { label: "Recipient", value: <MaskedValue value={message.to} masked={!revealed} /> },
        { label: "Channel", value: <ChannelMark channel={message.channel} /> },
        { label: "Message ID", value: <CopyableId value={message.notificationId} label="Copy message ID" /> },
        message.transactionId === null
          ? null
          : {
              label: "Transaction ID",
              value: <CopyableId value={message.transactionId} label="Copy transaction ID" />,
            },
        { label: "Application", value: message.application },
        {
          label: "Type",
          value: `${message.notificationType} / ${message.notificationSubtype}, ${timeline.class}`,
        },
        {
          label: "Template",
          value: message.template ? (
            <MaybeLink href={timeline.templateId ? href(`/templates/${timeline.templateId}`) : null}>
              {message.template.name}, version {message.template.version}
            </MaybeLink>
          ) : (
            "None"
          ),
        },
        { label: "For", value: `Region ${message.region}, language ${message.language}` },
        {
          label: "Provider",
          value: message.provider ? (
            <MaybeLink
              href={
                timeline.connectionId && can("providers:read")
                  ? href(`/providers/${timeline.connectionId}`)
                  : null
              }
            >
              {message.provider}
            </MaybeLink>
          ) : (
            <span className="text-ink-muted">Not chosen</span>
          ),
        },
        message.providerMessageId === null
          ? null
          : {
              label: "Provider ID",
              value: <CopyableId value={message.providerMessageId} label="Copy provider message ID" />,
            },
        message.segments === null
          ? null
          : {
              label: "Size",
              value: `${plural(message.segments, "segment")}${timeline.encoding ? ` in ${timeline.encoding}` : ""}`,
            },
        timeline.links.length === 0
          ? null
          : {
              label: timeline.links.length === 1 ? "Short link" : "Short links",
              value: <ShortLinks links={timeline.links} />,
            },
        {
          label: "Cost",
          value: <Costs costs={timeline.costs} total={timeline.totalCost} />,
        },
        { label: "Accepted", value: <AbsoluteTime value={message.createdAt} /> },
        optional("Scheduled for", message.scheduledAt),
        optional("Read", message.readAt),
        message.final || statusFace(message.status).terminal
          ? null
          : { label: "Expires", value: <AbsoluteTime value={message.expiresAt} /> },
        ...Object.entries(message.metadata).map(([key, value]) => ({ label: key, value })),
      ]}
    />
  );
}

/** What each try cost at its provider, and the operator's fee; added up only by the organisation's own rates. */
function Costs({ costs, total }: { costs: Timeline["costs"]; total: Timeline["totalCost"] }) {
  if (costs.length === 0) return <span className="text-ink-muted">None recorded</span>;
  const tries = costs.filter((cost) => cost.kind === "message").length;
  return (
    <ul className="grid gap-0.5">
      {costs.map((cost) => (
        <li key={`${cost.kind} ${String(cost.attempt)}`} className="tabular">
          {formatMoney(cost.amount, cost.currency)}{" "}
          <span className="text-ink-muted">
            {cost.kind === "platform_fee"
              ? "platform fee"
              : cost.source === "reported"
                ? "reported by the provider"
                : "estimated"}
            {cost.kind === "message" && tries > 1 ? `, attempt ${String(cost.attempt)}` : null}
            {cost.own && cost.own.currency !== cost.currency
              ? `, ${formatMoney(cost.own.amount, cost.own.currency)} at your rate`
              : null}
          </span>
        </li>
      ))}
      {total && costs.length > 1 ? (
        <li className="tabular">
          {formatMoney(total.amount, total.currency)} <span className="text-ink-muted">in total</span>
        </li>
      ) : null}
    </ul>
  );
}

function ShortLinks({ links }: { links: Timeline["links"] }) {
  return (
    <ul className="grid gap-1">
      {links.map((link, index) => (
        <li key={link.shortUrl ?? index}>
          {link.shortUrl === null ? null : <p className="break-all">{link.shortUrl}</p>}
          <p className="text-ink-muted">
            {link.clicks === null ? (
              "Clicks are counted by the service"
            ) : link.clicks === 0 ? (
              "Opened by nobody yet"
            ) : (
              <>
                {plural(link.clicks, "click")}
                {link.lastClickedAt === null ? null : (
                  <>
                    , last <RelativeTime value={link.lastClickedAt} />
                  </>
                )}
              </>
            )}
            {link.machineClicks ? `; ${plural(link.machineClicks, "visit")} by programs` : null}
          </p>
        </li>
      ))}
    </ul>
  );
}

function MaybeLink({ href, children }: { href: string | null; children: ReactNode }) {
  if (!href) return <>{children}</>;
  return (
    <Link href={href} className="text-accent-text underline-offset-4 hover:underline">
      {children}
    </Link>
  );
}
