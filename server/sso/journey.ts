import { z } from "zod";
import { openOwn, sealOwn } from "../kernel/secrets.ts";
import { ssoLimits } from "./schemas.ts";

const schema = z.object({
  tenantId: z.uuid(),
  providerId: z.uuid(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where on this site they were going. */
  target: z.string(),
  /** When they left, in milliseconds. */
  at: z.number(),
});

/** What a browser keeps between leaving for a provider and coming back: what came back has to match it. */
export type Journey = z.infer<typeof schema>;

const purpose = "sign-in journeys";
const context = "cookie";
export const journeySeconds = ssoLimits.minutesAway * 60;

/** Seals it, so that a browser can neither read nor make one. */
export function sealJourney(journey: Omit<Journey, "at">): string {
  const text = JSON.stringify({ ...journey, at: Date.now() });
  return sealOwn(purpose, context, text).toString("base64url");
}

/** What was sealed, unless too much time has passed since; undefined for anything else. */
export function openJourney(text: string | null): Journey | undefined {
  if (!text || text.length > 4_096) return undefined;
  try {
    const journey = schema.parse(JSON.parse(openOwn(purpose, context, Buffer.from(text, "base64url"))));
    return Date.now() - journey.at <= journeySeconds * 1_000 ? journey : undefined;
  } catch {
    return undefined;
  }
}
