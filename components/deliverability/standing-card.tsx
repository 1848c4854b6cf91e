"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { groupName, mailThresholds, mostCounted } from "../../server/deliverability/vocabulary.ts";
import type { GroupStanding, MailLevel } from "../../server/deliverability/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Badge, Dot, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { AbsoluteTime, RelativeTime } from "../ui/time.tsx";
import { RateMeter } from "./rate-meter.tsx";

const ReleaseDialog = dynamic(() => import("./release-dialog.tsx").then((module) => module.ReleaseDialog));

const faces: Record<MailLevel, { label: string; tone: BadgeTone }> = {
  fine: { label: "Good", tone: "success" },
  warned: { label: "Near the limit", tone: "warning" },
  held: { label: "Marketing held", tone: "danger" },
};
const none: { label: string; tone: BadgeTone } = { label: "No e-mail", tone: "outline" };
const few: { label: string; tone: BadgeTone } = { label: "Not enough messages", tone: "outline" };

const { complaints, bounces, leastMessages } = mailThresholds;
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** One mailbox provider: its rates, and the hold if there is one. */
export function StandingCard({ standing, mayRelease }: { standing: GroupStanding; mayRelease: boolean }) {
  const { group, delivered, unconfirmed, bounced, complained, level, since, waiting, accepted } = standing;
  const [releasing, setReleasing] = useState(false);
  const { href } = usePortal();
  const all = delivered + unconfirmed + bounced;
  const face = level !== "fine" ? faces[level] : all === 0 ? none : all < leastMessages ? few : faces.fine;
  const name = upperFirst(groupName(group));
  return (
    <Card className="flex flex-col gap-3.5 p-4" aria-label={name}>
      <header className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="text-sm font-semibold">{name}</h2>
          <p className="mt-0.5 text-xs text-ink-muted">
            {all === 0
              ? "No messages sent"
              : [
                  `${formatNumber(delivered)} delivered`,
                  ...(unconfirmed > 0
                    ? [`${formatNumber(unconfirmed)} sent through providers without receipts`]
                    : []),
                ].join(", ")}
          </p>
        </div>
        <Badge tone={face.tone}>
          <Dot tone={face.tone} /> {face.label}
        </Badge>
      </header>
      <RateMeter
        label="Complaints"
        rate={standing.complaintRate}
        digits={2}
        thresholds={complaints}
        of={delivered === 0 ? null : `${formatNumber(complained)} of ${formatNumber(delivered)} delivered`}
      />
      <RateMeter
        label="Bounces"
        rate={standing.bounceRate}
        digits={1}
        thresholds={bounces}
        of={all === 0 ? null : `${formatNumber(bounced)} of ${formatNumber(all)} sent`}
      />
      {group === "gmail" ? (
        <p className="text-xs text-ink-muted">
          Gmail doesn't report individual complaints. See Google Postmaster Tools for its rate.
        </p>
      ) : null}
      {level === "held" ? (
        <div className="mt-auto flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3 text-sm">
          <p className="min-w-0">
            Held {since ? <RelativeTime value={since} /> : null}
            {waiting > 0 ? (
              <>
                {" · "}
                <Link
                  href={href("/messages", { status: "queued", code: "mail_hold" })}
                  className="underline underline-offset-4"
                >
                  {waiting >= mostCounted
                    ? `${formatNumber(mostCounted)} or more messages`
                    : plural(waiting, "message")}{" "}
                  waiting
                </Link>
              </>
            ) : null}
          </p>
          {mayRelease ? (
            <Button size="sm" onClick={() => setReleasing(true)}>
              Release
            </Button>
          ) : null}
        </div>
      ) : null}
      {accepted ? (
        <p className="mt-auto border-t border-line pt-3 text-xs text-ink-muted">
          Released by {accepted.byName} <RelativeTime value={accepted.at} />: “{accepted.note}”. Not held
          before <AbsoluteTime value={accepted.until} />.
        </p>
      ) : null}
      {releasing ? <ReleaseDialog standing={standing} onClose={() => setReleasing(false)} /> : null}
    </Card>
  );
}
