import { z } from "zod";
import type { ErrorCode } from "../kernel/errors.ts";
import type { RestContract } from "../operations/operation.ts";

/**
 * Every error code that an operation may answer with: what follows from its declaration, and what it declares itself. The
 * document lists them, and outside production an answer with another one is an error.
 */
export function errorCodes(contract: RestContract): ErrorCode[] {
  const codes: ErrorCode[] = [
    "unauthenticated",
    "address_not_allowed",
    "permission_denied",
    "tenant_mismatch",
    "organisation_suspended",
    "rate_limited",
    "quota_exceeded",
    // Unknown query parameters are refused everywhere.
    "invalid_request",
    "invalid_encoding",
    "internal_error",
    "service_overloaded",
  ];
  if (contract.params) codes.push("not_found");
  if (contract.query && "cursor" in shapeOf(contract.query)) codes.push("invalid_cursor");
  // One without a body reads what is sent to it as well, to refuse members that nobody would look at.
  if (contract.method !== "GET") {
    codes.push("invalid_json", "depth_exceeded", "payload_too_large", "unsupported_media_type");
  }
  if (isIdempotent(contract)) codes.push("idempotency_mismatch", "request_in_progress");
  // Nobody knows how the first request ended.
  if (contract.idempotencyKey) codes.push("conflict");
  if (contract.permission === "templates:write") {
    codes.push("invalid_template", "template_exists", "moderation_blocked", "moderation_unavailable");
    codes.push("conflict", "environment_mismatch", "unknown_application", "sender_not_allowed");
  }
  if (contract.permission === "promotions:request") {
    codes.push("unknown_application", "environment_mismatch", "promotion_conflict", "conflict");
  }
  if (contract.permission === "promotions:approve") codes.push("conflict", "environment_mismatch");
  if (contract.permission === "promotions:approve" && contract.tag === "Promotions") {
    codes.push("promotion_conflict");
  }
  if (contract.permission === "pipelines:manage") codes.push("conflict", "environment_mismatch");
  if (contract.permission === "providers:manage") codes.push("environment_mismatch", "conflict");
  if (contract.permission === "providers:manage" && contract.body) {
    codes.push("forbidden_address", "region_not_allowed", "revision_conflict");
  }
  // The same in every environment: keys of the others are refused.
  if (/^(?:contacts|consent):/.test(contract.permission)) codes.push("environment_mismatch");
  if (/^(?:settings|organization):manage$/.test(contract.permission) && contract.method !== "GET")
    codes.push("environment_mismatch");
  return [...new Set([...codes, ...(contract.errors ?? [])])];
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** Whether the header Idempotency-Key says what a repetition is. */
export function takesIdempotencyKey({ requestHeaders }: Pick<RestContract, "requestHeaders">): boolean {
  return requestHeaders !== undefined && "idempotency-key" in shapeOf(requestHeaders);
}

/** A repeated request is answered with the first answer. */
export function isIdempotent(contract: RestContract): boolean {
  return takesIdempotencyKey(contract) || contract.operationId === "sendNotifications";
}
