/*
 * Code generators make a type of each named schema and something unnameable, or nothing, of an anonymous one. Objects that the
 * domains did not name are moved to the components here, under a name from where they stand.
 */

/** A schema of OpenAPI 3.0, as far as it is looked into. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  description?: string;
  default?: unknown;
  example?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

const componentPath = "#/components/schemas/";

/** Names that read better than "the member of the object": the derived name → what the object is. */
export const betterNames: Readonly<Record<string, string>> = {
  ApprovePromotionRequest: "PromotionComment",
  BroadcastListData: "BroadcastSummary",
  ConsentBatchConsent: "ConsentCreate",
  ConsentBatchResultResult: "ConsentResult",
  ConsentEntryListData: "ConsentEntry",
  ConsentsOfAddressHistory: "ConsentEntryList",
  ConsentsOfAddressStanding: "ConsentStanding",
  ContactBatchContact: "ContactUpsert",
  ContactBatchResultResult: "ContactUpsertResult",
  ContactGroupCreateFilterAll: "ContactGroupConditionCreate",
  ContactGroupFilterAll: "ContactGroupCondition",
  ContactUpsertAddress: "ContactAddressCreate",
  ConversationListData: "Conversation",
  ConversationMessageListData: "ConversationMessage",
  CostReportTotal: "CostReportFigures",
  DeliveryReportLatencyMsSent: "LatencyPercentiles",
  DryRunRule: "RoutingRuleDraft",
  ExplainNotificationRequest1: "ExplainSendRequest",
  ListBroadcastsAnswer: "BroadcastList",
  NotificationEventFailure: "Failure",
  NotificationEventReason: "Reason",
  NotificationSummaryCost: "NotificationCost",
  NotificationSummaryTemplate: "NotificationTemplate",
  ObjectivesAlert: "ObjectiveAlert",
  ObjectivesObjective: "Objective",
  PromotionFrom: "PromotionStage",
  PromotionListData: "PromotionSummary",
  PromotionRequestedBy: "Actor",
  ProviderCreatePriceList: "ProviderPriceCreate",
  ProviderDetailHealth: "ProviderHealth",
  ProviderDetailInbound: "ProviderInbound",
  ProviderDetailLast24Hours: "ProviderLast24Hours",
  ProviderDetailLastTest: "ProviderLastTest",
  ProviderDetailPriceList: "ProviderPrice",
  ProviderDetailSender: "ProviderSender",
  ResidencyDataRegion: "ResidencyRegion",
  RetentionLimitsContentDays: "RetentionLimit",
  RollBackPromotionRequest: "PromotionRollback",
  RouteCandidateHealth: "RouteHealth",
  RoutingRevisionListData: "RoutingRevision",
  RoutingRuleDraftTier: "RoutingRuleMember",
  RoutingRuleShadowedBy: "NamedReference",
  RoutingRuleTier: "RoutingRuleConnection",
  SetKillSwitchRequest: "KillSwitchUpdate",
  SuppressionBatchResultResult: "SuppressionResult",
  SuppressionBatchSuppression: "SuppressionCreate",
  SuppressionListData: "Suppression",
  TemplateCreateMetadata1: "SmsMetadata",
  TemplateCreateMetadata2: "EmailMetadata",
  TemplateCreateMetadata3: "WhatsappMetadata",
  TemplateSummaryDeployment: "TemplateDeployment",
  TemplateSummaryVersion: "TemplateVersion",
  UpdatePipelineRequest: "PipelineUpdate",
  WebhookDeliveryDetailAttemptLog: "WebhookAttempt",
  WebhookImportFinishedDataCounts: "WebhookImportCounts",
  WebhookMessageReceivedDataButton: "ConversationMessageButton",
  WebhookNotificationChangedDataFailure: "WebhookFailure",
  WhatsappMetadataHeader2: "WhatsappMetadataHeaderMedia",
};

/** What says something about this place rather than about the object. */
const ofThePlace = ["nullable", "description", "default", "example"] as const;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "addresses" → "Address" */
function singular(name: string): string {
  const word = capital(name);
  if (/series$/i.test(word)) return word.replace(/series$/i, (all) => `${all}Point`);
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The value of the member that tells variants apart: its only value. */
function variantName({ properties = {} }: JsonSchema): string | undefined {
  for (const { enum: values } of Object.values(properties))
    if (values?.length === 1 && typeof values[0] === "string")
      return values[0]
        .split(/[^A-Za-z0-9]+/)
        .map(capital)
        .join("");
  return undefined;
}

/** JSON with the members of objects in order, so that equal schemas are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, node: unknown) =>
    typeof node === "object" && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
      : node,
  );
}

/** Moves every object schema that has no name to `schemas`, and puts a reference in its place. */
export class SchemaNames {
  readonly #schemas: Record<string, JsonSchema>;
  /** The canonical text of each moved schema → its name. */
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(schemas: Record<string, JsonSchema>) {
    this.#schemas = schemas;
    for (const [name, schema] of Object.entries(schemas)) this.#visitMembers(schema, name);
  }

  /** `betterNames` that were not needed: of schemas that are gone. */
  get unused(): string[] {
    return Object.keys(betterNames).filter((name) => !this.#used.has(name));
  }

  /** The schema for a body or an answer: named, with everything in it. */
  named(schema: JsonSchema, name: string): JsonSchema {
    return schema.properties || schema.oneOf || schema.anyOf
      ? this.#move(schema, name)
      : this.#visit(schema, name);
  }

  #visit(schema: JsonSchema, name: string): JsonSchema {
    if (schema.$ref) return schema;
    if (schema.properties) return this.#move(schema, name);
    this.#visitMembers(schema, name);
    return referenceFrom(schema);
  }

  #visitMembers(schema: JsonSchema, name: string): void {
    const { properties = {} } = schema;
    for (const [member, of] of Object.entries(properties))
      properties[member] = this.#visit(of, name + capital(of.items ? singular(member) : member));
    if (schema.items) schema.items = this.#visit(schema.items, name);
    if (typeof schema.additionalProperties === "object")
      schema.additionalProperties = this.#visit(schema.additionalProperties, name);
    for (const several of [schema.allOf, schema.anyOf, schema.oneOf])
      several?.forEach((variant, index) => {
        several[index] = this.#visit(variant, name + (variantName(variant) ?? String(index + 1)));
      });
  }

  #move(schema: JsonSchema, derived: string): JsonSchema {
    const better = betterNames[derived];
    if (better !== undefined) this.#used.add(derived);
    const name = better ?? derived;
    this.#visitMembers(schema, name);
    const own = Object.fromEntries(
      Object.entries(schema).filter(([key]) => !(ofThePlace as readonly string[]).includes(key)),
    );
    const text = canonical(own);
    const known = better === undefined ? this.#names.get(text) : name;
    if (known === undefined || !Object.hasOwn(this.#schemas, known)) {
      this.#names.set(text, name);
      this.#add(name, own);
    } else if (canonical(this.#schemas[known]) !== text) {
      throw new Error(`Two different schemas would be called ${known}; see betterNames`);
    }
    return reference(known ?? name, schema);
  }

  #add(name: string, schema: JsonSchema): void {
    if (Object.hasOwn(this.#schemas, name) && canonical(this.#schemas[name]) !== canonical(schema))
      throw new Error(`Two different schemas would be called ${name}; see betterNames`);
    this.#schemas[name] = schema;
  }
}

/** What zod-openapi makes of a nullable named schema, in the form that allows null by the specification's letter. */
function referenceFrom(schema: JsonSchema): JsonSchema {
  const [only, ...others] = schema.allOf ?? [];
  const name = only?.$ref?.startsWith(componentPath) ? only.$ref.slice(componentPath.length) : undefined;
  return schema.nullable === true && name !== undefined && others.length === 0
    ? reference(name, schema)
    : schema;
}

/**
 * In OpenAPI 3.0 nothing beside `$ref` counts, and `nullable` only widens the `type` beside it (OAI/OpenAPI-Specification
 * proposal 2019-10-31).
 */
function reference(name: string, { nullable, ...place }: JsonSchema): JsonSchema {
  const $ref = componentPath + name;
  const beside = Object.fromEntries(
    ofThePlace.flatMap((key) => (key !== "nullable" && key in place ? [[key, place[key]]] : [])),
  );
  if (nullable === true)
    return { ...beside, anyOf: [{ $ref }, { type: "object", nullable: true, enum: [null] }] };
  return Object.keys(beside).length > 0 ? { ...beside, allOf: [{ $ref }] } : { $ref };
}

/**
 * Takes the defaults out of what requests hold, and says them in the description: generators that take a member with a
 * default for one that is always there would make senders write it. In answers it is always there, and stays.
 */
export function describeDefaults(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  seen: Set<object>,
): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if ("default" in schema) {
    const { description, default: value } = schema;
    const said = `Default: \`${JSON.stringify(value)}\``;
    if (!description) schema.description = said;
    else if (!/default/i.test(description)) schema.description = `${description}. ${said}`;
    delete schema.default;
  }
  const { $ref, items, additionalProperties } = schema;
  const named = $ref === undefined ? undefined : schemas[$ref.slice(componentPath.length)];
  for (const inner of [
    named,
    items,
    typeof additionalProperties === "object" ? additionalProperties : undefined,
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ])
    if (inner) describeDefaults(inner, schemas, seen);
}
