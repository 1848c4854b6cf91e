"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import type { Template } from "../../server/templates/schemas.ts";
import { EnvironmentSwatch } from "../layout/environment-mark.tsx";
import { usePortal, type PortalEnvironment } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { RelativeTime } from "../ui/time.tsx";

/** Where a template is live, and the way to make the version that is shown live somewhere else. */
export function Deployments({ template }: { template: Template }) {
  const { applications, can, environments } = usePortal();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [target, setTarget] = useState<PortalEnvironment | null>(null);
  const stages = applications.find((each) => each.id === template.applicationId)?.stages ?? [];

  const deploy = useMutation(
    trpc.templates.deploy.mutationOptions({
      onSuccess: async (result) => {
        setTarget(null);
        toast.success(`Version ${result.version} is live in ${target?.name ?? result.environment}`);
        await queryClient.invalidateQueries({ queryKey: trpc.templates.pathKey() });
      },
      onError: (error) => {
        setTarget(null);
        toast.error(errorText(error));
      },
    }),
  );

  function mayDeploy(environment: PortalEnvironment): boolean {
    if (template.archivedAt !== null) return false;
    // Later stages are reached by promotion.
    const early = environment.kind === "sandbox" || stages[0] === environment.id;
    return early && can("templates:write");
  }

  return (
    <Card>
      <CardHeader title="Live in" />
      <ul className="divide-y divide-line border-t border-line">
        {environments.map((environment) => {
          const deployment = template.deployments.find((each) => each.environmentId === environment.id);
          const offers = deployment?.version !== template.version && mayDeploy(environment);
          return (
            <li key={environment.id} className="flex min-h-11 items-center gap-2.5 px-4 py-1.5 text-sm">
              <EnvironmentSwatch kind={environment.kind} />
              <span className="flex-1 truncate">{environment.name}</span>
              {deployment ? (
                <>
                  {deployment.disabled ? <Badge tone="danger">Switched off</Badge> : null}
                  <span className="tabular">v{deployment.version}</span>
                  {offers ? null : (
                    <RelativeTime value={deployment.deployedAt} className="text-xs text-ink-muted" />
                  )}
                </>
              ) : (
                <span className="text-ink-faint">not live</span>
              )}
              {offers ? (
                <Button size="sm" onClick={() => setTarget(environment)}>
                  Use v{template.version}
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        open={target !== null}
        onOpenChange={(open) => !open && setTarget(null)}
        title={`Make version ${template.version} of ${template.name} live in ${target?.name ?? ""}?`}
        confirmLabel={`Use v${template.version}`}
        danger={target?.kind === "production"}
        pending={deploy.isPending}
        onConfirm={() =>
          target &&
          deploy.mutate({ templateId: template.id, environment: target.slug, version: template.version })
        }
      >
        Messages accepted from now on use it. Those already accepted keep the version they were accepted with.
      </ConfirmDialog>
    </Card>
  );
}
