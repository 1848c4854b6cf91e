export { Tidings } from "./client.ts";
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TidingsError,
  TimeoutError,
  WebhookVerificationError,
} from "./errors.ts";
export type { ErrorCode } from "./errors.ts";
export type { FollowQuery, TidingsEvent } from "./events.ts";
export { operations } from "./operations.ts";
export type { AnswerOf, BodyOf, Method, PathOf, QueryOf } from "./operations.ts";
export type { Page, Paged } from "./pages.ts";
export type * from "./schema.ts";
export type { RequestOptions, TidingsOptions } from "./transport.ts";
export type { Channel, MessageRequest, SendRequest, VariableValue } from "./typed-templates.ts";
export { WaitTimeoutError } from "./wait-for.ts";
export type { MessageStatus, WaitOptions } from "./wait-for.ts";
export { unwrapWebhook, verifyWebhook } from "./webhooks.ts";
export type { UnknownWebhookEvent, VerifyOptions, WebhookEvent, WebhookHeaders } from "./webhooks.ts";

/**
 * The templates of your applications. `tidings types` writes a file that adds them here; from then on `send` and
 * `messages.create` take only names that exist, with the variables of their templates.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it is there to be added to, and here because augmentations do not reach what is exported again
export interface Applications {}
