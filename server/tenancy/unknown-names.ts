import { DomainError } from "../kernel/errors.ts";
import type { Catalogue } from "./catalogue.ts";

/** For an unknown application and, alike, for one that the caller may not use. */
export function unknownApplication(): DomainError {
  return new DomainError(
    "unknown_application",
    "None of the applications that this caller may use has this name.",
    {
      errors: [
        {
          pointer: "/application",
          code: "unknown_application",
          detail: "Name an application as the portal shows it",
        },
      ],
    },
  );
}

/** An environment by short name or id. Throws `invalid_request`, listing them. */
export function requireEnvironment(
  { environments }: Pick<Catalogue, "environments">,
  named: string,
): Catalogue["environments"][number] {
  const environment = environments.find(({ id, slug }) => id === named || slug === named);
  if (environment) return environment;
  throw unknownEnvironment("There is no environment of this name.", "The environments are", environments);
}

/**
 * An environment that an application uses, a stage of its pipeline or a sandbox, by short name or id. Throws
 * `invalid_request`, listing them.
 */
export function requireEnvironmentOf(
  catalogue: Catalogue,
  application: { name: string; stages: readonly string[] },
  named: string,
): Catalogue["environments"][number] {
  const known = catalogue.environments.filter(
    (entry) => entry.kind === "sandbox" || application.stages.includes(entry.id),
  );
  const environment = known.find((entry) => entry.id === named || entry.slug === named);
  if (environment) return environment;
  const message = `The application "${application.name}" has no environment of this name.`;
  throw unknownEnvironment(message, "Its environments are", known);
}

function unknownEnvironment(
  message: string,
  introduction: string,
  known: Catalogue["environments"],
): DomainError {
  const detail = `${introduction} ${known.map(({ slug }) => slug).join(", ")}`;
  return new DomainError("invalid_request", message, {
    errors: [{ pointer: "/environment", code: "unknown_environment", detail }],
  });
}

/** Throws `unknown_notification_type`, with the allowed ones, unless type and subtype are in the tenant's catalogue. */
export function requireNotificationType(
  catalogue: Catalogue,
  type: string,
  subtype: string,
): Catalogue["notificationTypes"][number] {
  const known = catalogue.notificationTypes.find((entry) => entry.type === type);
  if (known?.subtypes.includes(subtype)) return known;
  throw new DomainError(
    "unknown_notification_type",
    known
      ? `"${type}" has no subtype "${subtype}". Allowed: ${known.subtypes.join(", ")}.`
      : `There is no notification type "${type}". Allowed: ${catalogue.notificationTypes.map((entry) => entry.type).join(", ")}.`,
    {
      errors: [
        {
          pointer: known ? "/notificationSubtype" : "/notificationType",
          code: "unknown_notification_type",
          detail: "Not in the tenant's catalogue",
        },
      ],
      extra: {
        allowed: catalogue.notificationTypes.map((entry) => ({ type: entry.type, subtypes: entry.subtypes })),
      },
    },
  );
}
