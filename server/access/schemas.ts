/** Inputs and outputs of the access procedures. Browser-safe. */
import { z } from "zod";
import { builtInRoles } from "../operations/permissions.ts";
import type { BuiltInRole } from "../operations/permissions.ts";

const roleKeys = Object.keys(builtInRoles) as [BuiltInRole, ...BuiltInRole[]];

/** The roles that every tenant has, for menus: key and name. */
export const roleChoices = roleKeys.map((key) => ({ key, name: builtInRoles[key].name }));

const name = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" });

export const createApiKeySchema = z
  .strictObject({
    name,
    environmentId: z.uuid(),
    /** At most one of the two; the whole tenant without either. */
    unitId: z.uuid().optional(),
    applicationId: z.uuid().optional(),
    /** Key of a role, built in or the tenant's own. */
    role: z.string().min(1).max(64).default("sender"),
    expiresAt: z.coerce.date().optional(),
    rateLimitPerMinute: z.number().int().min(1).max(1_000_000).default(6_000),
  })
  .refine((input) => input.unitId === undefined || input.applicationId === undefined, {
    error: "Bind the key to a team or to an application, not to both",
    path: ["unitId"],
  });
export type CreateApiKeyInput = z.input<typeof createApiKeySchema>;

export const listApiKeysSchema = z.strictObject({
  environmentId: z.uuid().optional(),
  /** Also those that were revoked or have expired. */
  includeEnded: z.boolean().default(false),
  limit: z.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
});
export type ListApiKeysInput = z.input<typeof listApiKeysSchema>;

export const revokeApiKeySchema = z.strictObject({ id: z.uuid() });
export type RevokeApiKeyInput = z.infer<typeof revokeApiKeySchema>;

export const rotateApiKeySchema = z.strictObject({
  id: z.uuid(),
  /** How long the old key stays valid; 0 ends it at once. */
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(7 * 24 * 3_600)
    .default(24 * 3_600),
});
export type RotateApiKeyInput = z.input<typeof rotateApiKeySchema>;

/** A key as lists show it; never its text. */
export interface ApiKeySummary {
  id: string;
  name: string;
  hint: string;
  environmentId: string;
  unitId: string | null;
  applicationId: string | null;
  role: { key: string; name: string };
  rateLimitPerMinute: number;
  createdBy: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  rotatedFromId: string | null;
  state: "active" | "expiring" | "expired" | "revoked";
}

export const revokeSessionSchema = z.strictObject({ id: z.uuid() });

/** A password that somebody chooses. */
export const newPasswordSchema = z.string().min(12, { error: "At least 12 characters" }).max(1_024);

export const changePasswordSchema = z.strictObject({
  current: z.string().min(1).max(1_024),
  next: newPasswordSchema,
});
export type ChangePasswordInput = z.infer<typeof changePasswordSchema>;

/** A link's token and the password that somebody chose with it. */
export const setPasswordSchema = z.strictObject({
  token: z.string().min(1).max(200),
  password: newPasswordSchema,
});
export type SetPasswordInput = z.infer<typeof setPasswordSchema>;

const role = z.string().min(1).max(64);

export const addMemberSchema = z.strictObject({
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase()),
  name,
  role,
  /** Where the role applies; the whole organisation without it. */
  unitId: z.uuid().optional(),
  /** False: signs in through the identity provider only. */
  withPassword: z.boolean().default(true),
});
export type AddMemberInput = z.input<typeof addMemberSchema>;

export const setMemberRoleSchema = z.strictObject({
  userId: z.uuid(),
  unitId: z.uuid().optional(),
  /** null takes the role away. */
  role: role.nullable(),
});
export type SetMemberRoleInput = z.infer<typeof setMemberRoleSchema>;

export const memberKeysSchema = z.strictObject({ userId: z.uuid() });

export const removeMemberSchema = z.strictObject({
  userId: z.uuid(),
  /** Who gets the person's API keys; without it they are revoked. */
  handKeysTo: z.uuid().optional(),
});
export type RemoveMemberInput = z.infer<typeof removeMemberSchema>;

/** A valid API key of a member, as shown to whoever removes the member. */
export interface MemberKey {
  id: string;
  name: string;
  hint: string;
  environmentId: string;
  lastUsedAt: Date | null;
}
