import { TidingsError } from "./errors.ts";
import { operations } from "./operations.ts";
import type { AnswerOf, BodyOf, FunctionOf, Method, Operation, PathOf, QueryOf } from "./operations.ts";
import { follow } from "./events.ts";
import type { FollowQuery, TidingsEvent } from "./events.ts";
import { paged } from "./pages.ts";
import type { Paged } from "./pages.ts";
import type { FeedPage, Notification, SendResponse, paths } from "./schema.ts";
import { Transport } from "./transport.ts";
import type { RequestOptions, TidingsOptions } from "./transport.ts";
import { textsOf } from "./typed-templates.ts";
import type {
  ApplicationName,
  ChannelOfTemplate,
  ChannelOfType,
  MessageRequest,
  NotificationSubtype,
  NotificationType,
  SendRequest,
  TemplateName,
} from "./typed-templates.ts";
import { waitFor } from "./wait-for.ts";
import type { WaitOptions } from "./wait-for.ts";
import { unwrapWebhook, verifyWebhook } from "./webhooks.ts";

type Resource<Name extends keyof typeof operations> = {
  readonly [Each in keyof (typeof operations)[Name]]: FunctionOf<(typeof operations)[Name][Each]>;
};

type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
type Init<M extends Method, P extends PathOf<M>> = RequestOptions & { query?: QueryOf<M, P> } & ([
    NamesIn<P>,
  ] extends [never]
    ? { params?: never }
    : { params: Record<NamesIn<P>, string> }) &
  (undefined extends BodyOf<M, P> ? { body?: BodyOf<M, P> } : { body: BodyOf<M, P> });
type LooseInit = RequestOptions & {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/**
 * A client of one installation and one API key.
 *
 * `const tidings = new Tidings({ baseUrl, apiKey, tenantId })`; without options TIDINGS_URL, TIDINGS_API_KEY and
 * TIDINGS_TENANT_ID are used. Every method throws a `TidingsError`.
 */
export class Tidings {
  declare readonly apiKeys: Resource<"apiKeys">;
  declare readonly auditEvents: Resource<"auditEvents">;
  declare readonly broadcasts: Resource<"broadcasts">;
  declare readonly consents: Resource<"consents">;
  declare readonly contactGroups: Resource<"contactGroups">;
  declare readonly contacts: Resource<"contacts">;
  declare readonly conversations: Resource<"conversations">;
  declare readonly erasures: Resource<"erasures">;
  declare readonly events: {
    /** What happened in the last 30 days, oldest first, up to now. */
    list: (
      query?: QueryOf<"GET", "/v1/events">,
      options?: RequestOptions,
    ) => Paged<TidingsEvent, Omit<FeedPage, "data"> & { data: TidingsEvent[] }>;
    /** What happened and what happens from now on, without end. */
    follow: (query?: FollowQuery, options?: RequestOptions) => AsyncGenerator<TidingsEvent, never>;
  };
  declare readonly exports: Resource<"exports">;
  declare readonly messages: Omit<Resource<"messages">, "create"> & {
    /** Sends one message by the name of its template. */
    create: <A extends ApplicationName, N extends TemplateName<A>, C extends ChannelOfTemplate<A, N>>(
      request: MessageRequest<A, N, C>,
      options?: RequestOptions,
    ) => Promise<Notification>;
    /**
     * The message once its status can't change any more, or is one of `until`. Throws a `WaitTimeoutError` with the message as last
     * seen when `timeoutMs` is over.
     */
    waitFor: (id: string, options?: WaitOptions) => Promise<Notification>;
  };
  declare readonly objectives: Resource<"objectives">;
  declare readonly pipelines: Resource<"pipelines">;
  declare readonly promotions: Resource<"promotions">;
  declare readonly providers: Resource<"providers">;
  declare readonly recipientLimits: Resource<"recipientLimits">;
  declare readonly reports: Resource<"reports">;
  declare readonly residency: Resource<"residency">;
  declare readonly retention: Resource<"retention">;
  declare readonly routingRules: Resource<"routingRules">;
  declare readonly sandbox: Resource<"sandbox">;
  declare readonly shorteners: Resource<"shorteners">;
  declare readonly suppressions: Resource<"suppressions">;
  declare readonly templateImports: Resource<"templateImports">;
  declare readonly templates: Resource<"templates">;
  declare readonly webhooks: Resource<"webhooks"> & {
    /** Throws when a webhook is not authentic or too old. Needs no API key: `verifyWebhook` is the same. */
    verify: typeof verifyWebhook;
    /** The event of a verified webhook. */
    unwrap: typeof unwrapWebhook;
  };
  readonly #transport: Transport;

  constructor(options: TidingsOptions = {}) {
    this.#transport = new Transport(options);
    const resources = Object.entries(operations).map(
      ([name, entries]: [string, Record<string, Operation>]) => [
        name,
        Object.fromEntries(
          Object.entries(entries).map(([method, operation]) => [method, this.#bind(operation)]),
        ),
      ],
    );
    Object.assign(this, Object.fromEntries(resources));
    const { messages } = this;
    const { create } = messages as unknown as { create: (...args: unknown[]) => Promise<Notification> };
    Object.assign(messages, {
      create: ({ variables, ...request }: { variables?: object }, options: unknown) =>
        create({ ...request, ...(variables ? { variables: textsOf(variables) } : {}) }, options),
      waitFor: (id: string, options?: WaitOptions) =>
        waitFor((message, request) => messages.get(message, undefined, request), id, options),
    });
    Object.assign(this.events, {
      follow: (query?: FollowQuery, options?: RequestOptions) => follow(this, query, options),
    });
    Object.assign(this.webhooks, { verify: verifyWebhook, unwrap: unwrapWebhook });
  }

  /**
   * Sends messages to recipients and contact groups. The answer comes when they are stored; each recipient has its own
   * result. Safe to repeat with the same `transactionId`, which is made here when there is none.
   */
  send<
    A extends ApplicationName,
    T extends NotificationType<A>,
    S extends NotificationSubtype<A, T>,
    C extends ChannelOfType<A, T, S>,
  >(request: SendRequest<A, T, S, C>, options: RequestOptions = {}): Promise<SendResponse> {
    const { recipients, templateVariables, ...rest } = request as {
      recipients?: readonly { variables?: object }[];
      templateVariables?: readonly object[];
    };
    const body = {
      transactionId: crypto.randomUUID(),
      ...dropUndefined(rest),
      ...(templateVariables ? { templateVariables: templateVariables.map(textsOf) } : {}),
      ...(recipients
        ? {
            recipients: recipients.map(({ variables, ...recipient }) =>
              variables ? { ...recipient, variables: textsOf(variables) } : recipient,
            ),
          }
        : {}),
    };
    return this.#transport.send("POST", "/api/app/notifications/send", {
      ...options,
      body,
    }) as Promise<SendResponse>;
  }

  /** Any operation by method and path, typed where this version knows it. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...init: Record<string, never> extends Init<M, P> ? [init?: Init<M, P>] : [init: Init<M, P>]
  ): Promise<AnswerOf<M, P>>;
  request<Answer = unknown, P extends string = string>(
    method: Method,
    path: P extends keyof paths ? never : P,
    init?: LooseInit,
  ): Promise<Answer>;
  request(method: Method, path: string, init: LooseInit = {}): Promise<unknown> {
    const { params = {}, ...sent } = init;
    const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
    return this.#transport.send(
      method,
      fill(
        path,
        names.map((name) => params[name]),
      ),
      sent,
    );
  }

  #bind({ method, path, takes }: Operation) {
    const count = path.split("{").length - 1;
    return (...given: unknown[]): unknown => {
      const where = fill(path, given.slice(0, count));
      const rest = given.slice(count);
      const input = takes === "nothing" ? undefined : rest.shift();
      const options = (rest[0] ?? {}) as RequestOptions;
      if (takes === "body") return this.#transport.send(method, where, { ...options, body: input });
      const query = input as Record<string, unknown> | undefined;
      if (takes !== "pages") return this.#transport.send(method, where, { ...options, query });
      type Answer = { data?: unknown[]; files?: unknown[]; nextCursor: string | null };
      return paged(
        (cursor) =>
          this.#transport.send("GET", where, {
            ...options,
            query: nextQuery(query, cursor),
          }) as Promise<Answer>,
        (page) => page.data ?? page.files ?? [],
      );
    };
  }
}

/** Of the next page. A feed's `since` says where the first one begins; the cursor knows it from then on. */
function nextQuery(query: Record<string, unknown> | undefined, cursor: string | undefined) {
  if (cursor === undefined) return query;
  const { since: _, ...rest } = query ?? {};
  return { ...rest, cursor };
}

function dropUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Puts values into the braces of a path. One that is empty or made of dots would lead to another operation. */
function fill(path: string, values: readonly unknown[]): string {
  let at = 0;
  return path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values[at++];
    if (typeof value !== "number" && (typeof value !== "string" || /^\.{0,2}$/.test(value)))
      throw new TidingsError({
        status: 0,
        code: "invalid_configuration",
        detail: `${path} needs the ${name} as a text that is not empty`,
      });
    return encodeURIComponent(value);
  });
}
