import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { FieldError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { may } from "../operations/authorize.ts";
import { requireNotificationType, unknownApplication } from "../tenancy/unknown-names.ts";
import { refuseProblems, resolveRule } from "./check-rules.ts";
import { chooseRoute } from "./choose-route.ts";
import { gapOf, outageOf, senderGap } from "./explain-gap.ts";
import { loadRuleSet } from "./list-rules.ts";
import { explainRoute, healthOf } from "./present-rules.ts";
import { routeOptions } from "./route-options.ts";
import type { DryRunInput, DryRunResult, RuleInput } from "./schemas.ts";

/**
 * How a message would be routed, by the worker's own algorithm: by the rules in force or by unsaved ones. Other
 * people's rules, which a draft cannot contain, are for other applications and do not matter. Sends and saves nothing.
 */
export async function dryRun(
  ctx: Ctx,
  input: DryRunInput & { environmentId: string },
): Promise<DryRunResult> {
  const [set, connections] = await Promise.all([
    loadRuleSet(ctx, input.environmentId),
    tenantConnections(ctx),
  ]);
  const { catalogue, environment, health } = set;
  const application = catalogue.applications.find((entry) => entry.name === input.application);
  const scope = application && {
    unitId: application.unitId,
    applicationId: application.id,
    environmentId: environment.id,
  };
  if (!application || !scope || !may(ctx, "providers:read", scope)) throw unknownApplication();
  requireNotificationType(catalogue, input.notificationType, input.notificationSubtype);
  const errors: FieldError[] = [];
  const resolve = ({ id, ...rule }: RuleInput & { id?: string | undefined }, pointer: string) =>
    resolveRule(set, rule, id ?? newId(), pointer, errors);
  let rules = input.rules?.map((rule, index) => resolve(rule, `/rules/${String(index)}`)) ?? set.rules;
  if (input.draft) {
    const draft = resolve(input.draft, "/draft");
    rules = [...rules.filter((rule) => rule.id !== draft.id), draft];
  }
  refuseProblems(errors);

  const region = input.region ?? application.defaultRegion;
  const facts = {
    region,
    applicationId: application.id,
    unitId: application.unitId,
    channel: input.channel,
    notificationType: input.notificationType,
    notificationSubtype: input.notificationSubtype,
  };
  const route = chooseRoute(
    rules.filter((rule) => rule.enabled),
    connections,
    facts,
    routeOptions({ sandbox: environment.kind === "sandbox", spread: 0, tenant: catalogue.tenant }),
  );
  const isOut = (id: string) => healthOf(health, id)?.breaker === "open";
  // Only what works can take over from a connection that does not.
  const others = route.candidates.some(({ connectionId }) => !isOut(connectionId));
  const warnings = route.candidates.flatMap(({ connectionId, name }) => {
    const connection = connections.get(connectionId);
    const sender = connection ? senderGap(connection, input.channel, region, application.unitId) : null;
    const known = healthOf(health, connectionId);
    const found = sender ? [sender] : [];
    if (connection?.adapter.name === "simulator" && environment.kind !== "sandbox") {
      found.push({ code: "simulated", detail: `"${name}" only simulates: nobody receives its messages.` });
    }
    if (known && known.breaker !== "closed") {
      found.push({
        code: known.breaker === "open" ? "breaker_open" : "breaker_half_open",
        detail:
          known.breaker === "open"
            ? `"${name}" is unavailable: ${others ? "messages go to the next connection that works" : "messages wait"} until it answers again.`
            : `"${name}" is being tried with a few messages after it was unavailable.`,
      });
    }
    if (known?.slow) found.push({ code: "slow", detail: `"${name}" answers slowly.` });
    return found.map((problem) => ({ ...problem, connectionId }));
  });
  return {
    application: application.name,
    region,
    route: explainRoute(ctx, route, { ...set, rules }, health, 0),
    problem: gapOf(route, rules, facts) ?? outageOf(route, isOut),
    warnings,
  };
}
