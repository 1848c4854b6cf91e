/**
 * Checks of a connection before it is stored: its fields by the adapter's schemas, its addresses, regions and senders.
 */
import type { z } from "zod";
import type { Adapter } from "../adapters/adapter.ts";
import { addressesOf } from "../adapters/destinations.ts";
import { describeUnknownMembers, fieldErrors } from "../kernel/closest-issues.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import { checkAddress } from "../kernel/check-address.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { dataRegions, regionName } from "../tenancy/vocabulary.ts";
import { senderProblem } from "./check-sender.ts";
import { overlappingPrices, priceProblems } from "./price-rows.ts";
import type { InboundTarget, PriceListEntry, SenderIdentity } from "./schemas.ts";
import { isAnswered, senderAddress } from "./sender-address.ts";

type Fields = Record<string, unknown>;

function invalid(errors: FieldError[], detail = "Check the highlighted fields."): DomainError {
  return new DomainError("invalid_request", detail, { errors: errors.slice(0, 20) });
}

/** Messages never contain the input: it may be a secret. */
function parse<T>(
  schema: z.ZodType<T>,
  value: Fields,
  pointer: string,
): { value: T } | { errors: FieldError[] } {
  const result = schema.safeParse(value, {
    reportInput: false,
    error: (issue) => {
      if (issue.code === "unrecognized_keys") return describeUnknownMembers(issue);
      return issue.code === "invalid_type" && issue.input === undefined ? "This is required." : undefined;
    },
  });
  if (result.success) return { value: result.data };
  const errors = fieldErrors(result.error).map((error) => ({ ...error, pointer: pointer + error.pointer }));
  return { errors };
}

/** Credentials and settings as parsed by the adapter's schemas. Throws `invalid_request` with every wrong field. */
export function parseConfiguration(
  adapter: Adapter,
  given: { credentials: Fields; settings: Fields },
): { credentials: unknown; settings: unknown } {
  const credentials = parse(adapter.credentialsSchema, given.credentials, "/credentials");
  const settings = parse(adapter.settingsSchema, given.settings, "/settings");
  if ("value" in credentials && "value" in settings) {
    const refused = adapter.refusedSettings?.(settings.value) ?? [];
    if (refused.length > 0) {
      throw invalid(
        refused.map(({ path, message, code }) => ({
          pointer: `/settings/${path}`,
          code: code ?? "custom",
          detail: message,
        })),
      );
    }
    const unusable = adapter.refusedCredentials?.(credentials.value, settings.value) ?? [];
    if (unusable.length === 0) return { credentials: credentials.value, settings: settings.value };
    throw invalid(
      unusable.map(({ credential, detail, code }) => ({
        pointer: `/credentials/${credential}`,
        code: code ?? "required",
        detail,
      })),
    );
  }
  throw invalid([credentials, settings].flatMap((parsed) => ("errors" in parsed ? parsed.errors : [])));
}

/** Throws `invalid_request` for channels, senders and prices that do not fit together. */
export function checkDetails(
  adapter: Adapter,
  given: {
    channels: readonly string[];
    senders: readonly SenderIdentity[];
    priceList: readonly PriceListEntry[];
  },
): void {
  const errors: FieldError[] = [];
  given.channels.forEach((channel, index) => {
    if ((adapter.channels as readonly string[]).includes(channel)) return;
    const detail = `${adapter.label} carries ${adapter.channels.join(", ")} only`;
    errors.push({ pointer: `/channels/${String(index)}`, code: "channel_not_carried", detail });
  });
  const senders = new Set<string>();
  const owners = new Map<string, { unit: string | null }>();
  given.senders.forEach((sender, index) => {
    const at = `/senders/${String(index)}`;
    const problem = senderProblem(sender);
    if (problem !== null) errors.push({ pointer: `${at}/sender`, code: "invalid_sender", detail: problem });
    if (!given.channels.includes(sender.channel)) {
      const detail = "The connection doesn't support this channel";
      errors.push({ pointer: `${at}/channel`, code: "channel_not_carried", detail });
    }
    const { kind, address } = senderAddress(sender.channel, sender.sender);
    const key = JSON.stringify([sender.channel, sender.region, kind, address, sender.unit]);
    if (senders.has(key)) {
      const detail = "Already in the list";
      errors.push({ pointer: `${at}/sender`, code: "repeated", detail });
    }
    senders.add(key);
    const owner = owners.get(`${sender.channel} ${address}`);
    if (isAnswered(kind) && owner && owner.unit !== (sender.unit ?? null)) {
      const detail = "The list names another unit for it; a number is one unit's or everybody's";
      errors.push({ pointer: `${at}/unit`, code: "repeated", detail });
    }
    owners.set(`${sender.channel} ${address}`, { unit: sender.unit ?? null });
  });
  given.priceList.forEach((entry, index) => {
    for (const { member, code, detail } of priceProblems(entry)) {
      errors.push({ pointer: `/priceList/${String(index)}/${member}`, code, detail });
    }
  });
  for (const { first, second, days } of overlappingPrices(given.priceList)) {
    const detail = `/priceList/${String(first)} and /priceList/${String(second)} are for the same messages ${days}: end one the day before the other begins`;
    errors.push({ pointer: `/priceList/${String(second)}`, code: "repeated", detail });
  }
  if (errors.length > 0) throw invalid(errors);
}

/**
 * Throws `forbidden_address` for settings that lead into networks that the operator has not opened, and
 * `invalid_request` for addresses that would be called without TLS outside of them.
 */
export async function checkAddresses(settings: unknown): Promise<void> {
  for (const { pointer, ...target } of addressesOf(settings)) {
    const verdict = await checkAddress(target);
    if (verdict === "forbidden") {
      throw new DomainError(
        "forbidden_address",
        `${target.host} has no public address. Use a public host, or ask the operator to allow its range (OUTBOUND_ALLOW).`,
        {
          errors: [
            {
              pointer: `/settings${pointer}`,
              code: "forbidden_address",
              detail: "Not a public address. The operator can allow its range",
            },
          ],
        },
      );
    }
    if (verdict === "insecure") {
      const detail = "Without encryption only ranges that the operator opened are called (OUTBOUND_ALLOW)";
      throw invalid([{ pointer: `/settings${pointer}`, code: "encryption_required", detail }]);
    }
  }
}

/**
 * The region in which the connection processes data: from the settings, otherwise as given. Throws `region_not_allowed`
 * when both disagree or the organisation's data may not go there, `invalid_request` when neither says.
 * @param given.stored the stored region; stays valid even if the list of regions does not name it
 */
export function checkRegion(
  adapter: Adapter,
  tenant: Catalogue["tenant"],
  given: { settings: unknown; processingRegion: string | undefined; stored?: string },
): string {
  const said = adapter.regionOf(given.settings);
  const region = given.processingRegion ?? said ?? given.stored;
  const pointer = "/processingRegion";
  if (region === undefined) {
    const detail = "Enter where the provider processes data";
    throw invalid([{ pointer, code: "required", detail }]);
  }
  const allowed = [...allowedRegions(tenant)];
  const refuse = (detail: string, field: string) =>
    new DomainError("region_not_allowed", detail, {
      errors: [{ pointer, code: "region_not_allowed", detail: field }],
      extra: { region: said ?? region, allowed },
    });
  const allowedNames = allowed.map(regionName).join(", ");
  if (said !== null && said !== region) {
    throw refuse(
      `With these settings ${adapter.label} processes data in ${regionName(said)}, not in ${regionName(region)}. Allowed for ${tenant.name}: ${allowedNames}.`,
      `By its settings it is ${regionName(said)}`,
    );
  }
  const known = region === tenant.dataRegion || region === given.stored || region === said;
  if (!known && !dataRegions.some(({ code }) => code === region)) {
    const detail = `Not one of ${dataRegions.map(({ code }) => code).join(", ")}`;
    throw invalid([{ pointer, code: "unknown_region", detail }]);
  }
  if (!allowed.includes(region)) {
    throw refuse(
      `Data of ${tenant.name} may not be processed in ${regionName(region)}. Allowed: ${allowedNames}. Somebody with the permission settings:manage can allow transfer under Settings, Data and regions, or with PUT /v1/residency.`,
      `Not allowed; allowed are ${allowedNames}`,
    );
  }
  return region;
}

/**
 * The application and environment that unsolicited messages go to, by name. Throws `invalid_request` when there is no
 * such thing, when the application belongs to another unit, or when sandbox and real messages would mix.
 */
export function resolveInbound(
  adapter: Adapter,
  catalogue: Catalogue,
  unitId: string | null,
  inbound: InboundTarget | null,
): { inboundApplicationId: string | null; inboundEnvironmentId: string | null } {
  if (inbound === null) return { inboundApplicationId: null, inboundEnvironmentId: null };
  const application = catalogue.applications.find(
    (entry) => entry.name === inbound.application && (unitId === null || entry.unitId === unitId),
  );
  const environment = catalogue.environments.find(
    (entry) => entry.slug === inbound.environment || entry.id === inbound.environment,
  );
  const errors: FieldError[] = [];
  if (adapter.inbound.length === 0) {
    const detail = `${adapter.label} brings no messages from recipients`;
    errors.push({ pointer: "/inbound", code: "not_supported", detail });
  }
  if (!application) {
    const detail = "Not available for this connection";
    errors.push({ pointer: "/inbound/application", code: "unknown_application", detail });
  }
  if (!environment) {
    errors.push({
      pointer: "/inbound/environment",
      code: "unknown_environment",
      detail: "Not an environment",
    });
  } else if ((environment.kind === "sandbox") !== (adapter.name === "simulator")) {
    const detail =
      environment.kind === "sandbox"
        ? "Real messages can't go into the sandbox"
        : "Simulated messages can only go into the sandbox";
    errors.push({ pointer: "/inbound/environment", code: "sandbox", detail });
  }
  if (errors.length > 0 || !application || !environment) throw invalid(errors);
  return { inboundApplicationId: application.id, inboundEnvironmentId: environment.id };
}

/**
 * Fields after a change: given ones replace stored ones, null removes one, the rest stays. `kept` names the unchanged
 * ones.
 */
export function mergeFields(stored: Fields, given: Fields | undefined): { fields: Fields; kept: string[] } {
  if (given === undefined) return { fields: stored, kept: Object.keys(stored) };
  const fields = Object.fromEntries(
    Object.entries({ ...stored, ...given }).filter(([, value]) => value !== null && value !== undefined),
  );
  return { fields, kept: Object.keys(fields).filter((name) => !Object.hasOwn(given, name)) };
}

/** Refuses stored credentials for an address or a request that they were not entered for. */
export function credentialsRequired(kept: readonly string[], what: "address" | "request"): DomainError {
  const detail =
    what === "address"
      ? "Enter it again, because the address changes"
      : "Enter it again, because the request changes";
  return invalid(
    kept.map((name) => ({ pointer: `/credentials/${name}`, code: "required_again", detail })),
    what === "address"
      ? "The address changes, so enter the credentials again. Stored credentials are never sent to a new address."
      : "What is sent changes, so the credentials have to be given again: stored ones are not put into a request that they were not entered for.",
  );
}
