"use client";

import { ExternalLink, Power, PowerOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Board, BoardRow, Stage } from "../../server/pipelines/schemas.ts";
import { EnvironmentSwatch } from "../layout/environment-mark.tsx";
import { ChannelMark, channelLabel } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { audienceText } from "../templates/audience.ts";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { Sheet } from "../ui/sheet.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useKillSwitch, type SwitchTarget } from "./use-kill-switch.ts";
import { canMove, openPromotion, stagePairs, type StagePair } from "./stages.ts";
import { VersionChip } from "./version-chip.tsx";
import { VersionDiff } from "./version-diff-later.tsx";

const KillSwitchDialog = dynamic(() =>
  import("./kill-switch-dialog.tsx").then((module) => module.KillSwitchDialog),
);

/** One template of the board: what each stage has, what the next would change, and its kill switch per stage. */
export function TemplatePanel({
  row,
  pipeline,
  onClose,
  onPromote,
}: {
  row: BoardRow;
  pipeline: Board["pipeline"];
  onClose: () => void;
  /** Without it the reader may not promote here. */
  onPromote: ((pair: StagePair) => void) | undefined;
}) {
  const { href } = usePortal();
  const differing = stagePairs(pipeline).filter((pair) => row.differs[pair.index] === true);

  return (
    <Sheet
      open
      onClose={onClose}
      title={row.name}
      subtitle={
        <span className="flex items-center gap-2">
          <ChannelMark channel={row.channel} iconOnly />
          {channelLabel(row.channel)}, for {audienceText(row)}
        </span>
      }
      actions={
        <Button asChild variant="ghost" size="iconSm">
          <Link href={href(`/templates/${row.templateId}`)} aria-label="Open template" title="Open template">
            <ExternalLink aria-hidden />
          </Link>
        </Button>
      }
      className="sm:w-[44rem]"
    >
      <Section title="Stages">
        <ul className="divide-y divide-line rounded-md border border-line">
          {pipeline.stages.map((stage) => (
            <StageLine key={stage.environmentId} row={row} stage={stage} unitId={pipeline.unitId} />
          ))}
        </ul>
      </Section>
      {differing.map((pair) => {
        const from = row.stages[pair.index]?.version ?? null;
        const to = row.stages[pair.index + 1]?.version ?? null;
        const open = openPromotion(row, pair);
        return (
          <Section
            key={pair.to.environmentId}
            title={`From ${pair.from.name} to ${pair.to.name}`}
            actions={
              open ? (
                <Button asChild size="sm">
                  <Link href={href(`/pipeline/promotions/${open}`)}>Promotion in progress</Link>
                </Button>
              ) : onPromote && canMove(row, pair) ? (
                <Button size="sm" variant="primary" onClick={() => onPromote(pair)}>
                  Promote to {pair.to.name}
                </Button>
              ) : null
            }
          >
            {from === null ? (
              <p className="text-sm text-ink-muted">
                {pair.from.name} has no version to promote; {pair.to.name} keeps v{to}.
              </p>
            ) : (
              <VersionDiff templateId={row.templateId} from={to} to={from} />
            )}
          </Section>
        );
      })}
      {differing.length === 0 ? (
        <p className="px-5 py-4 text-sm text-ink-muted">All stages have the same version.</p>
      ) : null}
    </Sheet>
  );
}

function StageLine({ row, stage, unitId }: { row: BoardRow; stage: Stage; unitId: string }) {
  const { canIn } = usePortal();
  const [asking, setAsking] = useState(false);
  const killSwitch = useKillSwitch();
  const here = row.stages.find((each) => each.environmentId === stage.environmentId);
  const live = here?.version != null;
  const target: SwitchTarget = {
    templateId: row.templateId,
    name: row.name,
    environment: { id: stage.environmentId, name: stage.name },
  };
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-2.5 gap-y-1 px-3 py-2 text-sm">
      <EnvironmentSwatch kind={stage.kind} />
      <span className="min-w-0 flex-1 truncate font-medium">{stage.name}</span>
      {here?.deployedAt ? <RelativeTime value={here.deployedAt} className="text-xs text-ink-muted" /> : null}
      <VersionChip stage={here} />
      {live && canIn("promotions:approve", unitId) ? (
        here.disabled ? (
          <Button
            size="sm"
            pending={killSwitch.pending}
            aria-label={`Switch on in ${stage.name}`}
            onClick={() => {
              killSwitch.set(target, false).catch((error: unknown) => toast.error(errorText(error)));
            }}
          >
            <Power aria-hidden /> Switch on
          </Button>
        ) : (
          <Button
            size="sm"
            variant="quietDanger"
            aria-label={`Switch off in ${stage.name}`}
            onClick={() => setAsking(true)}
          >
            <PowerOff aria-hidden /> Switch off
          </Button>
        )
      ) : null}
      {here?.disabled ? (
        <p className="w-full pl-4.5 text-xs text-danger-text">
          Switched off{here.disabledReason ? `: ${here.disabledReason}` : ", no reason given"}
        </p>
      ) : null}
      {asking ? <KillSwitchDialog target={target} onClose={() => setAsking(false)} /> : null}
    </li>
  );
}
