/**
 * What a provider takes and what it posts back, as far as we use it: facts of its documentation, written down here so
 * that the suites check every request wherever the project is. A test compares them with the provider's own description where
 * that is at hand.
 */
import { z } from "zod";
import type { FaultyAnswer, FaultyRequest } from "../faulty-server.ts";

/** Where the provider's own description has it. */
export type Official = {
  file: string;
  /** Its path there, when it is written differently. */
  path?: string;
  /** Members, and values as "member=value", that the documentation has and this description does not. */
  beyond?: string[];
};

export type Operation = {
  method: "GET" | "POST";
  /** Without the query; {name} stands for one part. */
  path: string;
  headers: Record<string, RegExp>;
  /** Of a form: a member for each field. A request without it has no body. */
  body?: z.ZodType;
  official?: Official;
};

export type Contract = {
  operations: Operation[];
  /** What the provider posts, by its name for it. */
  callbacks?: Record<string, { body: z.ZodType; official?: Official }>;
};

// What bodies consist of.
export const text = z.string();
export const some = text.min(1);
export const object = z.strictObject;
/** With more members than adapters read. */
export const open = z.looseObject;
export const list = z.array;
export const only = z.literal;
export const oneOf = z.enum;
/** An E.164 number without its plus. */
export const digits = text.regex(/^[1-9]\d{6,14}$/);

// What headers look like.
export const bearer = /^Bearer \S+$/;
export const basic = /^Basic [\w+/]+=*$/;
export const json = /^application\/json$/;
export const form = /^application\/x-www-form-urlencoded$/;

/** The operation that a request asks for. */
export function operationOf({ operations }: Contract, request: FaultyRequest): Operation | undefined {
  const [path = ""] = request.path.split("?");
  return operations.find((operation) => {
    const pattern = operation.path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+");
    return operation.method === request.method && new RegExp(`^${pattern}$`).test(path);
  });
}

/** What the provider would find wrong with a request; empty when it is right. */
export function misfits(contract: Contract, request: FaultyRequest): string[] {
  const operation = operationOf(contract, request);
  if (!operation) return [`there is no ${request.method} ${request.path}`];
  const headers = Object.entries(operation.headers).flatMap(([name, pattern]) =>
    pattern.test(request.headers[name] ?? "")
      ? []
      : [`header ${name} is ${request.headers[name] ?? "missing"}`],
  );
  if (!operation.body) return [...headers, ...(request.body === "" ? [] : ["there is a body"])];
  const isForm = operation.headers["content-type"] === form;
  const body: unknown = isForm ? Object.fromEntries(new URLSearchParams(request.body)) : parsed(request.body);
  const { error } = operation.body.safeParse(body);
  return [...headers, ...(error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`)];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The provider's answer, or 422 with the reasons for a request that it would not take. */
export function strictly(
  contract: Contract | undefined,
  answer: (request: FaultyRequest) => FaultyAnswer,
): (request: FaultyRequest) => FaultyAnswer {
  return (request) => {
    const wrong = contract ? misfits(contract, request) : [];
    return wrong.length === 0
      ? answer(request)
      : { status: 422, body: JSON.stringify({ message: wrong.join("; ") }) };
  };
}
