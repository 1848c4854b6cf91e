import type { TemplateSummary } from "../../server/templates/schemas.ts";

/** The version that is live in an environment; undefined when none is, or the kill switch is on. */
export function liveVersion(
  template: Pick<TemplateSummary, "deployments">,
  environmentId: string,
): number | undefined {
  return template.deployments.find((each) => each.environmentId === environmentId && !each.disabled)?.version;
}

/** Why nothing can be sent with a template; undefined when it can. */
export function whyNotLive(
  template: Pick<TemplateSummary, "name" | "application" | "archivedAt" | "deployments">,
  environment: { id: string; name: string },
  applications: readonly { name: string }[],
): string | undefined {
  const name = `“${template.name}”`;
  if (template.archivedAt !== null) return `${name} is archived. Choose another template.`;
  if (!applications.some((each) => each.name === template.application))
    return `${name} belongs to an application that isn't shown here. Choose another template.`;
  if (liveVersion(template, environment.id) !== undefined) return undefined;
  const off = template.deployments.some(({ environmentId }) => environmentId === environment.id);
  return `${name} ${off ? "is switched off" : "isn't live"} in ${environment.name}. Choose another template or environment.`;
}
