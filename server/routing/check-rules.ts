import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { ErrorCode, FieldError } from "../kernel/errors.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { whyNot } from "./choose-route.ts";
import type { RoutableConnection } from "./choose-route.ts";
import { routeOptions } from "./route-options.ts";
import { seesConnection, seesRule } from "./rule-access.ts";
import type { StoredRule } from "./rule-set.ts";
import type { RuleInput } from "./schemas.ts";

/** The context of the checks: for whom, in which environment, against which connections. */
export interface RulePlace {
  ctx: Ctx;
  catalogue: Catalogue;
  environment: Catalogue["environments"][number];
  connections: ReadonlyMap<string, RoutableConnection>;
}

/**
 * A rule from a request, with the id of its application. An application that the actor may not see counts as unknown;
 * problems go to `errors`.
 */
export function resolveRule(
  place: RulePlace,
  input: RuleInput,
  id: string,
  pointer: string,
  errors: FieldError[],
): StoredRule {
  const { application: name, ...rest } = input;
  const application =
    name === null
      ? undefined
      : place.catalogue.applications.find(
          (entry) =>
            entry.name === name &&
            seesRule(place.ctx, place.catalogue, place.environment.id, { applicationId: entry.id }),
        );
  if (name !== null && !application) {
    errors.push({
      pointer: `${pointer}/application`,
      code: "unknown_application",
      detail: "None of the applications that this caller may use has this name",
    });
  }
  return { ...rest, id, applicationId: application?.id ?? null, updatedAt: place.ctx.now() };
}

const conditionsOf = (rule: StoredRule) => [
  rule.region,
  rule.applicationId,
  rule.channel,
  rule.notificationType,
  rule.notificationSubtype,
];

/**
 * Checks a rule before it is stored. `before` is the rule as it was: what a change leaves alone is not checked again,
 * so that a rule with an old problem can still be renamed, moved or switched off.
 */
export function checkRule(
  place: RulePlace,
  rule: StoredRule,
  before: StoredRule | undefined,
  pointer: string,
): FieldError[] {
  const sameTiers = before !== undefined && isDeepStrictEqual(before.tiers, rule.tiers);
  const sameConditions = before !== undefined && isDeepStrictEqual(conditionsOf(before), conditionsOf(rule));
  const errors: FieldError[] = sameConditions ? [] : checkTypes(place.catalogue, rule, pointer);
  if (!sameTiers) errors.push(...checkWeights(rule, pointer));
  const switchedOn = before !== undefined && !before.enabled && rule.enabled;
  if (!sameTiers || !sameConditions || switchedOn) errors.push(...checkConnections(place, rule, pointer));
  return errors;
}

function checkTypes(catalogue: Catalogue, rule: StoredRule, pointer: string): FieldError[] {
  const { notificationType, notificationSubtype } = rule;
  const code = "unknown_notification_type";
  if (notificationType === null) {
    return notificationSubtype === null
      ? []
      : [
          {
            pointer: `${pointer}/notificationType`,
            code: "required",
            detail: "A subtype belongs to a type: name it, too",
          },
        ];
  }
  const type = catalogue.notificationTypes.find((entry) => entry.type === notificationType);
  if (!type) {
    const known = catalogue.notificationTypes.map((entry) => entry.type).join(", ");
    return [
      { pointer: `${pointer}/notificationType`, code, detail: `Not in the catalogue. Allowed: ${known}` },
    ];
  }
  if (notificationSubtype === null || type.subtypes.includes(notificationSubtype)) return [];
  return [
    {
      pointer: `${pointer}/notificationSubtype`,
      code,
      detail: `"${notificationType}" has the subtypes ${type.subtypes.join(", ")}`,
    },
  ];
}

function checkWeights(rule: StoredRule, pointer: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  rule.tiers.forEach((tier, tierIndex) => {
    const at = `${pointer}/tiers/${String(tierIndex)}`;
    const sum = tier.reduce((total, member) => total + member.weight, 0);
    if (sum !== 100) {
      errors.push({
        pointer: at,
        code: "weights_not_100",
        detail: `The weights of tier ${String(tierIndex + 1)} add up to ${String(sum)}, not to 100`,
      });
    }
    tier.forEach(({ connectionId }, index) => {
      if (seen.has(connectionId)) {
        errors.push({
          pointer: `${at}/${String(index)}/connectionId`,
          code: "duplicate_connection",
          detail: "A rule names a connection once",
        });
      }
      seen.add(connectionId);
    });
  });
  return errors;
}

/** Problems of a rule's connections, one by one, so that a revert can leave single ones out. */
export function connectionProblem(
  place: RulePlace,
  rule: Pick<StoredRule, "applicationId" | "channel">,
  connectionId: string,
): { code: string; detail: string } | null {
  const { ctx, catalogue, environment, connections } = place;
  const connection = connections.get(connectionId);
  if (!connection || !seesConnection(ctx, connection)) {
    return { code: "unknown_connection", detail: "There is no such connection, or it is not yours to use" };
  }
  const application = catalogue.applications.find((entry) => entry.id === rule.applicationId);
  if (connection.unitId !== null && connection.unitId !== application?.unitId) {
    return {
      code: "connection_of_another_unit",
      detail: application
        ? `"${connection.name}" belongs to another team than ${application.name}`
        : `"${connection.name}" belongs to one team; a rule without an application is for everybody`,
    };
  }
  // A disabled connection may be intended, and is reported beside the rule.
  const reason = whyNot(
    { ...connection, enabled: true },
    { unitId: null, channel: rule.channel },
    routeOptions({ sandbox: environment.kind === "sandbox", spread: 0, tenant: catalogue.tenant }),
  );
  return reason ? { code: reason.code, detail: `"${connection.name}": ${reason.why}` } : null;
}

function checkConnections(place: RulePlace, rule: StoredRule, pointer: string): FieldError[] {
  return rule.tiers.flatMap((tier, tierIndex) =>
    tier.flatMap(({ connectionId }, index) => {
      const problem = connectionProblem(place, rule, connectionId);
      return problem
        ? [{ pointer: `${pointer}/tiers/${String(tierIndex)}/${String(index)}/connectionId`, ...problem }]
        : [];
    }),
  );
}

/** Codes with an entry of their own in the error table; anything else, or a mixture, is `invalid_request`. */
const ownCodes = new Set<string>([
  "region_not_allowed",
  "unknown_application",
  "unknown_notification_type",
] satisfies ErrorCode[]);

/** Throws when there is a problem; the first one is the detail, all of them are listed. */
export function refuseProblems(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const same = errors.every((error) => error.code === first.code) && ownCodes.has(first.code);
  throw new DomainError(same ? (first.code as ErrorCode) : "invalid_request", `${first.detail}.`, {
    errors: errors.slice(0, 100),
  });
}
