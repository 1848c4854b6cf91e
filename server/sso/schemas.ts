/** Inputs of the operations on identity providers and of the sign-in through them. Browser-safe. */
import { z } from "zod";
import { domainNameSchema } from "../directory/schemas.ts";
import { providerKinds } from "./vocabulary.ts";

/** How much there may be of it in one organisation. */
export const ssoLimits = {
  providers: 5,
  /** Of all providers together. */
  rules: 200,
  /** Minutes between leaving for the provider and coming back. */
  minutesAway: 10,
  /** Calls of a minute from one address: asking who vouches for a domain, leaving for a provider, coming back. */
  callsPerMinute: 60,
} as const;

export type ProviderKind = (typeof providerKinds)[number];

const noControls = /^\P{Cc}*$/u;
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, { error: "Enter something" })
    .max(max)
    .regex(noControls, { error: "Control characters are not allowed" });

export const issuerSchema = z
  .string()
  .trim()
  .max(500)
  .refine((text) => isIssuer(text), {
    error: "An address that begins with https://, without a question mark, a hash or a password",
  });

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === "" &&
    !/[?#\s]/.test(text)
  );
}

const scopesSchema = z
  .string()
  .trim()
  .max(500)
  // RFC 6749, 3.3.
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/, {
    error: "Words, separated by one space",
  })
  .refine((text) => text.split(" ").includes("openid"), { error: "openid has to be among them" });

const settings = {
  kind: z.enum(providerKinds),
  name: line(60),
  issuer: issuerSchema,
  clientId: line(500),
  scopes: scopesSchema,
  roleClaim: line(200),
  admits: z.boolean(),
};
const secret = z
  .string()
  .trim()
  .min(1, { error: "Enter the client secret" })
  .max(1_000)
  .regex(noControls, { error: "Control characters are not allowed" });

export const createProviderSchema = z.strictObject({ ...settings, clientSecret: secret });
export type CreateProviderInput = z.infer<typeof createProviderSchema>;

/** What a provider becomes; the secret stays when none is given. `revision`: what the change is based on, as it was read. */
export const updateProviderSchema = z.strictObject({
  id: z.uuid(),
  revision: z.string().max(64).optional(),
  ...settings,
  clientSecret: secret.optional(),
});
export type UpdateProviderInput = z.infer<typeof updateProviderSchema>;

export const providerSchema = z.strictObject({ id: z.uuid() });
export type ProviderInput = z.infer<typeof providerSchema>;

export const switchProviderSchema = z.strictObject({ id: z.uuid(), enabled: z.boolean() });
export type SwitchProviderInput = z.infer<typeof switchProviderSchema>;

export const addRuleSchema = z.strictObject({
  providerId: z.uuid(),
  /** null: everybody who signs in through the provider. */
  value: line(256).nullable(),
  role: z.string().min(1).max(64),
  /** null: the whole organisation. */
  unitId: z.uuid().nullable(),
});
export type AddRuleInput = z.infer<typeof addRuleSchema>;

export const ruleSchema = z.strictObject({ id: z.uuid() });
export type RuleInput = z.infer<typeof ruleSchema>;

/** A provider as the portal shows it; never its secret. */
export interface ListedProvider {
  id: string;
  kind: ProviderKind;
  name: string;
  issuer: string;
  clientId: string;
  scopes: string;
  roleClaim: string;
  admits: boolean;
  /** Names what its settings are, for a change that is based on them. */
  revision: string;
  enabled: boolean;
  createdBy: string;
  createdAt: Date;
  /** How many people have signed in through it. */
  people: number;
  rules: {
    id: string;
    value: string | null;
    role: { key: string; name: string; permissions: string[] };
    unitId: string | null;
    createdBy: string;
  }[];
}

/** What a test of a provider found, step by step; the steps after one that failed are left out. */
export interface ProviderTest {
  ok: boolean;
  steps: { ok: boolean; text: string }[];
}

/** Asks which providers vouch for the people of a domain. */
export const findProvidersSchema = z.strictObject({ domain: domainNameSchema });

/** Leaves for a provider. */
export const startSignInSchema = z.strictObject({
  domain: domainNameSchema,
  provider: z.uuid(),
  /** What was typed; the provider proposes it. */
  email: z.string().trim().max(320).regex(noControls).optional(),
  /** A path of this site to come back to. */
  target: z.string().max(2_000).optional(),
});
export type StartSignInInput = z.infer<typeof startSignInSchema>;

/** Why a sign-in through a provider came to nothing, as the address of the sign-in page says it. */
export const refusalReasons = [
  "sso_another_identity",
  "sso_busy",
  "sso_domain",
  "sso_expired",
  "sso_failed",
  "sso_groups_missing",
  "sso_no_member",
  "sso_stopped",
  "sso_suspended",
  "sso_unreachable",
  "sso_unverified",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];
