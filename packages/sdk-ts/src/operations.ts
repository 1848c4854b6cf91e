import type { Paged } from "./pages.ts";
import type { paths } from "./schema.ts";
import type { RequestOptions } from "./transport.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The paths of the API that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, { responses: unknown }> ? P : never;
}[keyof paths] &
  string;

type OperationAt<M extends Method, P extends PathOf<M>> =
  Lowercase<M> extends keyof paths[P] ? NonNullable<paths[P][Lowercase<M>]> : never;

/** The query parameters of an operation. */
export type QueryOf<M extends Method, P extends PathOf<M>> =
  OperationAt<M, P> extends { parameters: { query?: infer Q } } ? NonNullable<Q> : Record<string, never>;

/** The body of an operation; `undefined` if it takes none. */
export type BodyOf<M extends Method, P extends PathOf<M>> =
  OperationAt<M, P> extends { requestBody: { content: { "application/json": infer B } } }
    ? B
    : OperationAt<M, P> extends { requestBody?: { content: { "application/json": infer B } } }
      ? B | undefined
      : undefined;

type Content<R> = R extends { content: { "application/json": infer A } }
  ? A
  : R extends { content: { "text/csv": infer T } }
    ? T
    : undefined;

/** What an operation answers with. */
export type AnswerOf<M extends Method, P extends PathOf<M>> =
  OperationAt<M, P> extends { responses: infer R } ? { [S in keyof R]: Content<R[S]> }[keyof R] : never;

/** The parameters in a path, in their order: `/v1/webhooks/{id}/deliveries/{deliveryId}` has two. */
type PathArguments<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...PathArguments<Rest>]
  : [];

type QueryArgument<Q> = Partial<Q> extends Q ? [query?: Q] : [query: Q];
type BodyArgument<B> = undefined extends B ? [body?: B] : [body: B];

type Takes = "query" | "pages" | "body" | "nothing";

/** What of the arguments is the body or the query; the rest follows from method and path. */
export interface Operation<M extends Method = Method, P extends string = string, T extends Takes = Takes> {
  method: M;
  path: P;
  takes: T;
}

type Answer<M extends Method, P extends PathOf<M>> = AnswerOf<M, P>;
type ItemOf<Page> = Page extends { data: (infer Item)[] }
  ? Item
  : Page extends { files: (infer Item)[] }
    ? Item
    : never;

/** The function that an entry of the table becomes. */
export type FunctionOf<O> =
  O extends Operation<infer M, infer P, infer T>
    ? P extends PathOf<M>
      ? T extends "pages"
        ? (
            ...args: [...PathArguments<P>, ...QueryArgument<QueryOf<M, P>>, options?: RequestOptions]
          ) => Paged<ItemOf<Answer<M, P>>, Answer<M, P>>
        : T extends "query"
          ? (
              ...args: [...PathArguments<P>, ...QueryArgument<QueryOf<M, P>>, options?: RequestOptions]
            ) => Promise<Answer<M, P>>
          : T extends "body"
            ? (
                ...args: [...PathArguments<P>, ...BodyArgument<BodyOf<M, P>>, options?: RequestOptions]
              ) => Promise<Answer<M, P>>
            : (...args: [...PathArguments<P>, options?: RequestOptions]) => Promise<Answer<M, P>>
      : never
    : never;

const get = <P extends PathOf<"GET">>(path: P) => ({ method: "GET", path, takes: "query" }) as const;
const list = <P extends PathOf<"GET">>(path: P) => ({ method: "GET", path, takes: "pages" }) as const;
const post = <P extends PathOf<"POST">>(path: P) => ({ method: "POST", path, takes: "body" }) as const;
const act = <P extends PathOf<"POST">>(path: P) => ({ method: "POST", path, takes: "nothing" }) as const;
const put = <P extends PathOf<"PUT">>(path: P) => ({ method: "PUT", path, takes: "body" }) as const;
const patch = <P extends PathOf<"PATCH">>(path: P) => ({ method: "PATCH", path, takes: "body" }) as const;
const remove = <P extends PathOf<"DELETE">>(path: P) => ({ method: "DELETE", path, takes: "query" }) as const;

/**
 * Every operation of the API by the name that programs call it by. The methods of `Tidings` are made of this table, and so are
 * those of the Python client.
 */
export const operations = {
  messages: {
    /** Sends one message by the name of its template. */
    create: post("/v1/notifications"),
    /** One message with its events. */
    get: get("/v1/notifications/{id}"),
    /** Messages, newest first. */
    list: list("/v1/notifications"),
    /** Stops a message that has not been sent yet. */
    cancel: act("/v1/notifications/{id}/cancel"),
    /** What would happen to a message, without sending it. */
    explain: post("/v1/notifications/explain"),
  },
  broadcasts: {
    /** Sends to contact groups, newest first. */
    list: list("/v1/broadcasts"),
    get: get("/v1/broadcasts/{id}"),
    pause: act("/v1/broadcasts/{id}/pause"),
    resume: act("/v1/broadcasts/{id}/resume"),
    /** Changes its rate. */
    update: patch("/v1/broadcasts/{id}"),
    cancel: act("/v1/broadcasts/{id}/cancel"),
  },
  conversations: {
    list: list("/v1/conversations"),
    /** The messages of a conversation, newest first. */
    messages: list("/v1/conversations/{id}/messages"),
  },
  consents: {
    /** Records opt-ins and opt-outs. */
    record: post("/v1/consents"),
    /** What an address has consented to, with its history. */
    get: get("/v1/consents"),
    /** Asks an address to confirm its consent. */
    askConfirmation: post("/v1/consents/confirmations"),
    getConfirmation: get("/v1/consents/confirmations/{id}"),
    /** What each class requires before a message is sent. */
    getPolicy: get("/v1/consent-policy"),
    updatePolicy: put("/v1/consent-policy"),
  },
  contacts: {
    list: list("/v1/contacts"),
    get: get("/v1/contacts/{id}"),
    create: post("/v1/contacts"),
    update: patch("/v1/contacts/{id}"),
    delete: remove("/v1/contacts/{id}"),
    /** Creates or updates up to 1,000 by their external ids. */
    upsert: post("/v1/contacts/batch"),
  },
  contactGroups: {
    list: list("/v1/contact-groups"),
    get: get("/v1/contact-groups/{id}"),
    create: post("/v1/contact-groups"),
    update: patch("/v1/contact-groups/{id}"),
    delete: remove("/v1/contact-groups/{id}"),
    addMembers: post("/v1/contact-groups/{id}/members"),
    removeMembers: { method: "DELETE", path: "/v1/contact-groups/{id}/members", takes: "body" },
  },
  suppressions: {
    list: list("/v1/suppressions"),
    add: post("/v1/suppressions"),
    remove: remove("/v1/suppressions/{id}"),
  },
  sandbox: {
    /** What the simulated recipient of a message does next. */
    simulate: post("/v1/sandbox/messages/{id}/actions"),
  },
  templates: {
    list: list("/v1/templates"),
    get: get("/v1/templates/{id}"),
    create: post("/v1/templates"),
    /** Saves a new version. */
    update: put("/v1/templates/{id}"),
    archive: remove("/v1/templates/{id}"),
    deploy: post("/v1/templates/{id}/deployments"),
    setKillSwitch: put("/v1/templates/{id}/kill-switch"),
    /** Sends the template to a test address. */
    test: post("/v1/templates/{id}/tests"),
    /** Every template of an application as files. */
    files: list("/v1/template-files"),
  },
  templateImports: {
    list: get("/v1/template-imports"),
    get: get("/v1/template-imports/{id}"),
    /** Plans an import; nothing changes before `start`. */
    plan: post("/v1/template-imports"),
    start: act("/v1/template-imports/{id}/start"),
    cancel: act("/v1/template-imports/{id}/cancel"),
  },
  pipelines: {
    list: get("/v1/pipelines"),
    update: put("/v1/pipelines/{application}"),
    confirmChange: act("/v1/pipelines/{application}/proposal/{id}/confirm"),
    withdrawChange: remove("/v1/pipelines/{application}/proposal/{id}"),
  },
  promotions: {
    list: list("/v1/promotions"),
    get: get("/v1/promotions/{id}"),
    create: post("/v1/promotions"),
    approve: post("/v1/promotions/{id}/approve"),
    reject: post("/v1/promotions/{id}/reject"),
    deploy: act("/v1/promotions/{id}/deploy"),
    rollBack: post("/v1/promotions/{id}/rollback"),
  },
  providers: {
    list: get("/v1/providers"),
    get: get("/v1/providers/{id}"),
    create: post("/v1/providers"),
    update: patch("/v1/providers/{id}"),
    delete: remove("/v1/providers/{id}"),
    test: act("/v1/providers/{id}/test"),
    /** What a connection can be made with, and the settings of each. */
    adapters: get("/v1/provider-adapters"),
  },
  routingRules: {
    list: get("/v1/routing-rules"),
    get: get("/v1/routing-rules/{id}"),
    create: post("/v1/routing-rules"),
    update: put("/v1/routing-rules/{id}"),
    delete: remove("/v1/routing-rules/{id}"),
    replaceAll: put("/v1/routing-rules"),
    revisions: list("/v1/routing-rules/revisions"),
    revert: post("/v1/routing-rules/revisions/{number}/revert"),
    dryRun: post("/v1/routing-rules/dry-run"),
  },
  reports: {
    delivery: get("/v1/reports/delivery"),
    costs: get("/v1/reports/costs"),
  },
  objectives: {
    get: get("/v1/objectives"),
  },
  exports: {
    list: list("/v1/exports"),
    get: get("/v1/exports/{id}"),
    create: post("/v1/exports"),
    cancel: act("/v1/exports/{id}/cancel"),
    delete: remove("/v1/exports/{id}"),
    /** The finished file as text. */
    download: get("/v1/exports/{id}/file"),
  },
  erasures: {
    list: list("/v1/erasures"),
    get: get("/v1/erasures/{id}"),
    create: post("/v1/erasures"),
  },
  recipientLimits: {
    /** Quiet hours and frequency caps. */
    get: get("/v1/recipient-limits"),
    /** Replaces all of them. */
    update: put("/v1/recipient-limits"),
  },
  retention: {
    get: get("/v1/retention"),
    update: put("/v1/retention"),
  },
  notificationTypes: {
    list: get("/v1/notification-types"),
    create: post("/v1/notification-types"),
    /** Replaces class and subtypes. */
    update: put("/v1/notification-types/{id}"),
    delete: remove("/v1/notification-types/{id}"),
  },
  residency: {
    get: get("/v1/residency"),
    update: put("/v1/residency"),
  },
  shorteners: {
    list: get("/v1/shorteners"),
    get: get("/v1/shorteners/{environment}"),
    update: put("/v1/shorteners/{environment}"),
    test: post("/v1/shorteners/{environment}/test"),
  },
  webhooks: {
    list: list("/v1/webhooks"),
    get: get("/v1/webhooks/{id}"),
    /** The answer has the signing secret, this once. */
    create: post("/v1/webhooks"),
    update: patch("/v1/webhooks/{id}"),
    delete: remove("/v1/webhooks/{id}"),
    rotateSecret: act("/v1/webhooks/{id}/rotate-secret"),
    test: act("/v1/webhooks/{id}/test"),
    deliveries: list("/v1/webhooks/{id}/deliveries"),
    getDelivery: get("/v1/webhooks/{id}/deliveries/{deliveryId}"),
    replayDelivery: act("/v1/webhooks/{id}/deliveries/{deliveryId}/replay"),
    replay: post("/v1/webhooks/{id}/replay"),
  },
  events: {
    /** What happened in the last 30 days, oldest first, up to now. */
    list: list("/v1/events"),
  },
  apiKeys: {
    list: list("/v1/api-keys"),
    /** The answer has the key, this once. */
    create: post("/v1/api-keys"),
    revoke: remove("/v1/api-keys/{id}"),
  },
  auditEvents: {
    list: list("/v1/audit-events"),
    get: get("/v1/audit-events/{id}"),
  },
} as const satisfies Record<string, Record<string, Operation>>;
