import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { z } from "zod";
import { deviceSeconds } from "../access/known-device.ts";
import { operatorPasswordSchema, operatorSignInSchema } from "../console/schemas.ts";
import { endSession, operatorSessionSeconds } from "../console/sessions.ts";
import { setOperatorPassword, signInOperator } from "../console/sign-in.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import {
  consoleContext,
  consoleDbs,
  hasConsole,
  keepDevice,
  keepSession,
  readDevice,
} from "./console-context.ts";
import { consoleRouter } from "./console-root.ts";
import { isUnexpected, toTrpcError } from "./errors.ts";
import { refusedPost } from "./guard-post.ts";
import { countPortalCalls } from "./portal-rate-limit.ts";
import { takeForm } from "./take-form.ts";

const endpoint = "/console/api/trpc";
const maxBodyBytes = 64 * 1_024;

/** Everything under /console/api. Undefined: there is nothing, as everywhere where no console is. */
export async function handleConsole(request: Request): Promise<Response | undefined> {
  if (!hasConsole()) return undefined;
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(`${endpoint}/`)) return handleCalls(request);
  if (request.method !== "POST") return undefined;
  switch (pathname) {
    case "/console/api/sign-in":
      return handleSignIn(request);
    case "/console/api/sign-out":
      return handleSignOut(request);
    case "/console/api/set-password":
      return takeForm(request, operatorPasswordSchema, (input, from) =>
        setOperatorPassword(consoleDbs(), { ...input, ...from }),
      );
    default:
      return undefined;
  }
}

async function handleSignIn(request: Request): Promise<Response> {
  const cookies: string[] = [];
  const response = await takeForm(request, operatorSignInSchema, async (input, from) => {
    const device = readDevice(request.headers.get("cookie"));
    const signedIn = await signInOperator(consoleDbs(), { ...input, ...from, device });
    cookies.push(
      keepSession(signedIn.token, operatorSessionSeconds),
      keepDevice(signedIn.device, deviceSeconds),
    );
    return { signedIn: true };
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

async function handleSignOut(request: Request): Promise<Response> {
  const response = await takeForm(request, z.strictObject({}), async () => {
    const { operator } = await consoleContext(request.headers);
    if (operator) await endSession(operator);
    return { signedOut: true };
  });
  if (response.ok) response.headers.append("set-cookie", keepSession("", 0));
  return response;
}

async function handleCalls(request: Request): Promise<Response> {
  const refused = refusedPost(request, maxBodyBytes);
  if (refused) return refused;
  const requestId = newId();
  const response = await fetchRequestHandler({
    endpoint,
    req: request,
    router: consoleRouter,
    maxBatchSize: 10,
    createContext: async ({ info }) => {
      const context = await consoleContext(request.headers, requestId);
      if (context.operator) {
        await countPortalCalls(`operator ${context.operator.operator.id}`, info.calls.length).catch(
          (error: unknown) => {
            throw toTrpcError(error);
          },
        );
      }
      return context;
    },
    onError: ({ error, path }) => {
      // Failures inside a procedure were logged there; these are the others.
      if (isUnexpected(error) && !(error.cause instanceof DomainError)) {
        logger().error({ err: error.cause ?? error, requestId, path }, "a call of the console failed");
      }
    },
  });
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", requestId);
  return response;
}
