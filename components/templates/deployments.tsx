"use client";

import { useMutation } from "@tanstack/react-query";
import { ArrowUpRight, Power, PowerOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Template } from "../../server/templates/schemas.ts";
import { EnvironmentSwatch } from "../layout/environment-mark.tsx";
import { useKillSwitch, type SwitchTarget } from "../pipelines/use-kill-switch.ts";
import { usePortal, usePortalData, type PortalEnvironment } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { useRefresh } from "../trpc/use-refresh.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Link } from "../ui/link.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { useMay } from "./library/use-may.ts";

const KillSwitchDialog = dynamic(() =>
  import("../pipelines/kill-switch-dialog.tsx").then((module) => module.KillSwitchDialog),
);

type Deployment = Template["deployments"][number];

/**
 * What each stage has of a template, first stage first and the sandbox last: with the kill switch, and the way to bring the
 * version that is shown there.
 */
export function Deployments({ template }: { template: Template }) {
  const { href } = usePortal();
  const may = useMay();
  const { applications, environments } = usePortalData();
  const trpc = useTRPC();
  const refresh = useRefresh("templates", "pipelines");
  const [target, setTarget] = useState<PortalEnvironment | null>(null);
  const application = applications.find((each) => each.id === template.applicationId);
  const stages = application?.stages ?? [];
  const deploymentIn = (id: string | undefined) =>
    template.deployments.find((each) => each.environmentId === id);

  const deploy = useMutation(
    trpc.templates.deploy.mutationOptions({
      onSuccess: async (result) => {
        setTarget(null);
        toast.success(`Version ${result.version} is live in ${target?.name ?? result.environment}`);
        await refresh();
      },
      onError: (error) => {
        setTarget(null);
        toast.error(errorText(error));
      },
    }),
  );

  const listed = [
    ...stages.flatMap((id) => environments.find((each) => each.id === id) ?? []),
    ...environments.filter(
      (each) => !stages.includes(each.id) && (each.kind === "sandbox" || deploymentIn(each.id)),
    ),
  ];
  const inUse = template.archivedAt === null;

  return (
    <Card>
      <CardHeader
        title={inUse ? "Live in" : "Previously live in"}
        actions={
          <Button asChild variant="ghost" size="sm">
            <Link href={href("/pipeline", { application: template.application, q: template.name })}>
              Pipeline <ArrowUpRight aria-hidden />
            </Link>
          </Button>
        }
      />
      <ul className="divide-y divide-line border-t border-line">
        {listed.map((environment) => {
          const stage = stages.indexOf(environment.id);
          const here = deploymentIn(environment.id);
          const before = stage > 0 ? deploymentIn(stages[stage - 1]) : undefined;
          const early = environment.kind === "sandbox" || stage === 0;
          return (
            <StageLine
              key={environment.id}
              template={template}
              environment={environment}
              deployment={here}
              mayUse={
                inUse &&
                early &&
                may("templates:write", template.applicationId) &&
                here?.version !== template.version
              }
              onUse={() => setTarget(environment)}
              waiting={
                inUse &&
                before &&
                before.version !== here?.version &&
                may("promotions:request", template.applicationId)
                  ? before.version
                  : null
              }
              maySwitch={inUse && may("promotions:approve", template.applicationId)}
            />
          );
        })}
      </ul>
      <ConfirmDialog
        open={target !== null}
        onClose={() => setTarget(null)}
        title={`Make version ${template.version} of ${template.name} live in ${target?.name ?? ""}?`}
        confirmLabel={`Use v${template.version}`}
        danger={target?.kind === "production"}
        pending={deploy.isPending}
        onConfirm={() =>
          target &&
          deploy.mutate({ templateId: template.id, environment: target.slug, version: template.version })
        }
      >
        Messages accepted from now on use it. Messages already accepted keep their version.
      </ConfirmDialog>
    </Card>
  );
}

function StageLine({
  template,
  environment,
  deployment,
  mayUse,
  onUse,
  waiting,
  maySwitch,
}: {
  template: Template;
  environment: PortalEnvironment;
  deployment: Deployment | undefined;
  mayUse: boolean;
  onUse: () => void;
  /** The version of the stage before, where that is another one. */
  waiting: number | null;
  maySwitch: boolean;
}) {
  const { href } = usePortal();
  const [asking, setAsking] = useState(false);
  const killSwitch = useKillSwitch();
  const target: SwitchTarget = { templateId: template.id, name: template.name, environment };
  return (
    <li className="px-4 py-2 text-sm">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1">
        <EnvironmentSwatch kind={environment.kind} />
        <span className="min-w-0 flex-1 truncate">{environment.name}</span>
        {deployment ? (
          <>
            {deployment.disabled ? <Badge tone="danger">Switched off</Badge> : null}
            <span className="tabular">v{deployment.version}</span>
            <RelativeTime value={deployment.deployedAt} className="text-xs text-ink-muted" />
          </>
        ) : (
          <span className="text-ink-faint">not live</span>
        )}
        {deployment && maySwitch ? (
          <Button
            variant="ghost"
            size="iconSm"
            pending={killSwitch.pending}
            aria-label={
              deployment.disabled ? `Switch on in ${environment.name}` : `Switch off in ${environment.name}`
            }
            title={deployment.disabled ? "Switch on" : "Switch off now"}
            onClick={() => {
              if (!deployment.disabled) setAsking(true);
              else killSwitch.set(target, false).catch((error: unknown) => toast.error(errorText(error)));
            }}
          >
            {deployment.disabled ? <Power aria-hidden /> : <PowerOff aria-hidden />}
          </Button>
        ) : null}
      </div>
      {deployment?.disabled ? (
        <p className="mt-0.5 pl-4.5 text-xs text-danger-text">
          Off{deployment.disabledBy ? ` by ${deployment.disabledBy}` : ""}
          {deployment.disabledAt ? (
            <>
              {", "}
              <RelativeTime value={deployment.disabledAt} />
            </>
          ) : null}
          {deployment.disabledReason ? `: ${deployment.disabledReason}` : ""}
        </p>
      ) : null}
      {mayUse || waiting !== null ? (
        <div className="mt-1 flex flex-wrap gap-2 pl-4.5">
          {mayUse ? (
            <Button size="sm" onClick={onUse}>
              Use v{template.version}
            </Button>
          ) : null}
          {waiting === null ? null : (
            <Button asChild size="sm">
              <Link href={href("/pipeline", { application: template.application, q: template.name })}>
                Promote v{waiting}
              </Link>
            </Button>
          )}
        </div>
      ) : null}
      {asking ? <KillSwitchDialog target={target} onClose={() => setAsking(false)} /> : null}
    </li>
  );
}
