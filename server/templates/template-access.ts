import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { acrossEnvironments, authorize, may, visibleScopes } from "../operations/authorize.ts";
import type { Scope } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { unknownApplication } from "../tenancy/unknown-names.ts";

type Application = Catalogue["applications"][number];

/** Throws `not_found` or `permission_denied` unless the actor holds the permission for the application's templates. */
export function authorizeTemplates(
  ctx: Ctx,
  permission: Permission,
  place: { unitId: string; applicationId: string },
): void {
  authorize(acrossEnvironments(ctx), permission, place);
}

/**
 * Throws unless the actor holds the permission for the application in that environment. The caller has already shown
 * the actor the application, so an environment out of a key's reach need not be hidden: `environment_mismatch`.
 */
export function authorizeInEnvironment(
  ctx: Ctx,
  permission: Permission,
  place: { unitId: string; applicationId: string; environmentId: string },
): void {
  try {
    authorize(ctx, permission, place);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    throw new DomainError(
      "environment_mismatch",
      "The API key belongs to another environment than the one named.",
    );
  }
}

/** How much an environment matters. */
const weights = { sandbox: 0, nonproduction: 1, production: 2 } as const;

/**
 * For actions that affect a template everywhere at once: throws `environment_mismatch` for a caller bound to an
 * environment when the template is live in one that matters more, so that no sandbox key removes anything from
 * production.
 */
export async function authorizeEverywhere(
  ctx: Ctx,
  permission: Permission,
  template: { unitId: string; applicationId: string; deployments: readonly { environmentId: string }[] },
): Promise<void> {
  authorizeTemplates(ctx, permission, template);
  const { environments } = await getCatalogue(ctx);
  const weightOf = (id: string) =>
    weights[environments.find((entry) => entry.id === id)?.kind ?? "production"];
  const matters = Math.max(0, ...template.deployments.map(({ environmentId }) => weightOf(environmentId)));
  const reach = ctx.grants
    .filter((grant) => may({ ...ctx, grants: [{ ...grant, environmentId: null }] }, permission, template))
    .map(({ environmentId }) => (environmentId === null ? Infinity : weightOf(environmentId)));
  if (ctx.actor.type === "system" || reach.some((weight) => weight >= matters)) return;
  throw new DomainError(
    "environment_mismatch",
    "The template is live in an environment that the API key does not belong to and that matters more than its own.",
  );
}

/**
 * For changes of later stages: throws `permission_denied` unless the actor may approve promotions into each later stage
 * in which the template is live. What takes two people to bring there, one author cannot remove.
 */
export async function authorizeLaterStages(
  ctx: Ctx,
  template: { unitId: string; applicationId: string; deployments: readonly { environmentId: string }[] },
): Promise<void> {
  const { applications } = await getCatalogue(ctx);
  const later = applications.find(({ id }) => id === template.applicationId)?.stages.slice(1) ?? [];
  for (const { environmentId } of template.deployments) {
    if (!later.includes(environmentId)) continue;
    authorizeInEnvironment(ctx, "promotions:approve", {
      unitId: template.unitId,
      applicationId: template.applicationId,
      environmentId,
    });
  }
}

/** Whether the actor holds the permission for the application's templates; for items of a list. */
export function mayWithTemplates(
  ctx: Ctx,
  permission: Permission,
  place: { unitId: string; applicationId: string },
): boolean {
  return may(acrossEnvironments(ctx), permission, place);
}

/** Where the actor holds the permission for templates; null: everywhere in the tenant. */
export function templateScopes(ctx: Ctx, permission: Permission): Required<Scope>[] | null {
  return visibleScopes(acrossEnvironments(ctx), permission);
}

/**
 * The application of a request, by name or id; unknown and somebody else's look the same. Without a name: the caller's
 * only one.
 */
export async function requireApplication(
  ctx: Ctx,
  permission: Permission,
  name: string | undefined,
): Promise<{ catalogue: Catalogue; application: Application }> {
  const catalogue = await getCatalogue(ctx);
  const application =
    name === undefined ? onlyApplication(ctx, permission, catalogue) : byName(catalogue, name);
  try {
    authorizeTemplates(ctx, permission, {
      unitId: application?.unitId ?? "",
      applicationId: application?.id ?? "",
    });
    // Nothing new is written for what is not used any more.
    const usable = permission !== "templates:write" || application?.archived === false;
    if (application && usable) return { catalogue, application };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
  }
  throw unknownApplication();
}

const byName = (catalogue: Catalogue, name: string) =>
  catalogue.applications.find((entry) => entry.name === name) ??
  catalogue.applications.find((entry) => entry.id === name);

function onlyApplication(ctx: Ctx, permission: Permission, catalogue: Catalogue): Application {
  const own = catalogue.applications.filter(
    (application) =>
      !application.archived &&
      mayWithTemplates(ctx, permission, { unitId: application.unitId, applicationId: application.id }),
  );
  const [application] = own;
  if (application && own.length === 1) return application;
  throw new DomainError("invalid_request", "Name the application: you may do this in several, or in none.", {
    errors: [{ pointer: "/application", code: "required", detail: "This is required." }],
  });
}

/**
 * Where a save goes live by itself: in the first stage of the application's pipeline and in the sandbox, which mirrors
 * it. A caller bound to an environment outside the pipeline, such as a sandbox key, changes only the sandbox.
 */
export function savedInto(ctx: Ctx, catalogue: Catalogue, application: Application): string[] {
  const sandboxes = catalogue.environments
    .filter((environment) => environment.kind === "sandbox")
    .map(({ id }) => id);
  const [first] = application.stages;
  const inPipeline =
    ctx.actor.type === "system" ||
    ctx.grants.some(
      (grant) =>
        grant.permissions.has("templates:write") &&
        (grant.environmentId === null || application.stages.includes(grant.environmentId)),
    );
  return first !== undefined && inPipeline ? [first, ...sandboxes] : sandboxes;
}
