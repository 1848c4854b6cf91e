/** Inputs and outputs of the access procedures. Browser-safe. */
import { z } from "zod";
import { permissions } from "../operations/permissions.ts";
import { keyLimits, passwordLength, passkeyLimits, signInWays } from "./vocabulary.ts";

export { permissionTexts, permissions } from "../operations/permissions.ts";
export type { Permission } from "../operations/permissions.ts";

const name = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" });

const purpose = z
  .string()
  .trim()
  .max(keyLimits.purpose)
  .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" });

const addressForms = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];
/** A range of addresses, or one. Not as IPv4 in IPv6, which would match nothing. */
const isNetwork = (text: string) =>
  addressForms.some((form) => form.safeParse(text).success) && !text.startsWith("::ffff:");

/** An address, or one `*` that stands for what comes before an e-mail domain or after the first digits of a number. */
const recipientPattern =
  /^(?:[^\s@*]{1,64}@[^\s@*]{1,189}|\*@[a-z0-9][a-z0-9.-]{0,188}|\+[1-9]\d{6,14}|\+[1-9]\d{0,13}\*)$/;

/** Entries as they are stored, each once; complains of the first that is none. */
function listOf(options: {
  clean: (text: string) => string;
  is: (text: string) => boolean;
  not: string;
  min: number;
  max: number;
}) {
  const { clean, is, not, min, max } = options;
  return z
    .array(z.string().max(254))
    .min(min, { error: "Name at least one" })
    .max(max, { error: `At most ${String(max)}` })
    .transform((list, ctx) => {
      const entries = [...new Set(list.map(clean))];
      const wrong = entries.find((entry) => !is(entry));
      if (wrong === undefined) return entries;
      ctx.addIssue({ code: "custom", message: `“${wrong}” is not ${not}`, input: list });
      return z.NEVER;
    });
}

const allowedNetworks = listOf({
  clean: (text) => text.trim().toLowerCase(),
  is: isNetwork,
  not: "an address or range like 192.0.2.7, 198.51.100.0/24 or 2001:db8::/32",
  min: 0,
  max: keyLimits.networks,
});
const recipients = listOf({
  clean: (text) => (text.includes("@") ? text.trim().toLowerCase() : text.replaceAll(/[\s()./-]/g, "")),
  is: (text) => recipientPattern.test(text),
  not: "an address, or a pattern like *@example.com or +49151*",
  min: 1,
  max: keyLimits.recipients,
});

/** What an agent may do at most. `laterStages`: beyond the sandbox and the first stage of a pipeline. */
const agentFields = {
  recipients,
  hourlyCap: z.int().min(1).max(keyLimits.hourlyCap),
  laterStages: z.boolean(),
};
export const agentSchema = z.strictObject({ ...agentFields, laterStages: z.boolean().default(false) });

export type AgentInput = z.output<typeof agentSchema>;

export const createApiKeySchema = z
  .strictObject({
    name,
    purpose: purpose.default(""),
    allowedNetworks: allowedNetworks.default([]),
    /** For a key of an agent. */
    agent: agentSchema.optional(),
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

/** Of the state that a change is based on, as the list has it; without it the change applies to whatever is there. */
const revision = z.string().max(64).optional();

/** What is left out stays. */
export const updateApiKeySchema = z.strictObject({
  id: z.uuid(),
  revision,
  name: name.optional(),
  purpose: purpose.optional(),
  allowedNetworks: allowedNetworks.optional(),
  /** Of an agent's key only; for all keys of the agent. */
  agent: z.strictObject(agentFields).partial().optional(),
});
export type UpdateApiKeyInput = z.input<typeof updateApiKeySchema>;

export const handOverApiKeySchema = z.strictObject({ id: z.uuid(), to: z.uuid() });
export type HandOverApiKeyInput = z.infer<typeof handOverApiKeySchema>;

/** Names one key. */
export const apiKeyIdSchema = z.strictObject({ id: z.uuid() });

export const listApiKeysSchema = z.strictObject({
  environmentId: z.uuid().optional(),
  /** Also those that were revoked or have expired. */
  includeEnded: z.boolean().default(false),
  limit: z.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
});
export type ListApiKeysInput = z.input<typeof listApiKeysSchema>;

export type RevokeApiKeyInput = z.infer<typeof apiKeyIdSchema>;

export const rotateApiKeySchema = z.strictObject({
  id: z.uuid(),
  /** How long the old key stays valid; 0 ends it at once. */
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(7 * 24 * 3_600)
    .default(24 * 3_600),
  /** When the new key ends; as the old one without it. */
  expiresAt: z.coerce.date().optional(),
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
  purpose: string;
  role: { key: string; name: string };
  rateLimitPerMinute: number;
  /** Whose it is; null: nobody's. */
  owner: { id: string; name: string } | null;
  /** Ranges that it may be used from; empty: from anywhere. */
  allowedNetworks: string[];
  /** null: it is no agent's. Addresses are masked for those who may not see them where the key works. */
  agent: {
    recipients: string[];
    masked: boolean;
    hourlyCap: number;
    laterStages: boolean;
    usedLastHour: number;
  } | null;
  /** Of what can be changed of it, as it is shown here. */
  revision: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedFrom: string | null;
  rotatedFromId: string | null;
  /** Paused: who it belongs to is suspended. */
  state: "active" | "expiring" | "expired" | "revoked" | "paused";
}

/** A key over REST, with the names of what it is bound to; never its text. */
export const apiKeySchema = z.object({
  id: z.uuid(),
  name: z.string(),
  purpose: z.string(),
  hint: z.string().meta({ description: "How the key begins and ends", example: "tdg_live_…9f3c" }),
  environment: z.string().meta({ description: "Its short name", example: "production" }),
  application: z
    .string()
    .nullable()
    .meta({ description: "The application that it is bound to; null: it is not bound to one" }),
  role: z.object({ key: z.string(), name: z.string() }),
  rateLimitPerMinute: z.int(),
  allowedNetworks: z.array(z.string()).meta({ description: "Where it may be used from; empty: anywhere" }),
  state: z.enum(["active", "expiring", "expired", "revoked", "paused"]).meta({
    description: "`expiring`: it ends within 30 days. `paused`: who it belongs to is suspended",
  }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});

export const apiKeyListSchema = z.object({ data: z.array(apiKeySchema), nextCursor: z.string().nullable() });

/** Query of GET /v1/api-keys. */
export const apiKeyListQuerySchema = z.object({
  includeEnded: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "true: also revoked and expired ones" }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
});

/** Body of POST /v1/api-keys. */
export const apiKeyCreateSchema = z.strictObject({
  name: name.meta({ example: "Checkout" }),
  purpose: purpose.optional(),
  role: z.string().min(1).max(64).optional().meta({
    description: "Key of a role, built in or your own. You need each of its permissions. Default: `sender`",
    example: "sender",
  }),
  environment: z.string().min(1).max(64).optional().meta({
    description: "Short name or id. Default: the environment of the key you use",
    example: "production",
  }),
  application: z.string().min(1).max(128).optional().meta({
    description: "Only for this application. Default: that of the key you use, if it is bound to one",
  }),
  allowedNetworks: z
    .array(
      z.string().refine(isNetwork, {
        error: "An address or range like 192.0.2.7, 198.51.100.0/24 or 2001:db8::/32",
      }),
    )
    .max(keyLimits.networks)
    .optional()
    .meta({ description: "Addresses and ranges it may be used from. Default: those of the key you use" }),
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: "Not after the end of the key you use. Default: the same end, if it has one" }),
  rateLimitPerMinute: z.int().min(1).max(1_000_000).optional().meta({
    description: "Not above that of the key you use. Default: 6000, or that of the key you use if lower",
  }),
});

export const apiKeyCreatedSchema = z.object({
  id: z.uuid(),
  key: z.string().meta({ description: "The key, shown this once", example: "tdg_live_0000000000000000" }),
  hint: z.string(),
  expiresAt: z.iso.datetime().nullable(),
});

export const revokeSessionSchema = z.strictObject({ id: z.uuid() });

/** A password that somebody chooses, as far as a browser can judge it; the rest is hashNewPassword's. */
export const newPasswordSchema = z
  .string()
  .min(passwordLength.min, { error: `At least ${String(passwordLength.min)} characters` })
  .max(passwordLength.max, { error: `At most ${String(passwordLength.max)} characters` });

/** A password that somebody has. */
const givenPassword = z.string().min(1).max(passwordLength.max);

export const changePasswordSchema = z.strictObject({
  current: givenPassword,
  next: newPasswordSchema,
});
export type ChangePasswordInput = z.infer<typeof changePasswordSchema>;

/** Something that takes the person's password again. */
export const ownPasswordSchema = z.strictObject({ password: givenPassword });
export type OwnPasswordInput = z.infer<typeof ownPasswordSchema>;

/** A code of an authenticator app, or a recovery code. */
const code = z.string().trim().min(1, { error: "Enter the code" }).max(40);
export const confirmSecondFactorSchema = z.strictObject({ code });
export type ConfirmSecondFactorInput = z.infer<typeof confirmSecondFactorSchema>;

/** Something that takes the person's password again, and a code. */
export const bothFactorsSchema = z.strictObject({ password: givenPassword, code });
export type BothFactorsInput = z.infer<typeof bothFactorsSchema>;

const bytesUpTo = (max: number) =>
  z
    .string()
    .max(Math.ceil((max * 4) / 3))
    .regex(/^[\w-]+$/);
const credentialId = bytesUpTo(passkeyLimits.credentialIdBytes.max);
const clientData = bytesUpTo(2_048);

/** What a browser says of a new passkey. */
const passkeyAttestationSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: bytesUpTo(6_144),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
export type PasskeyAttestation = z.output<typeof passkeyAttestationSchema>;

/** What a browser says when a passkey has signed. */
export const passkeyAnswerSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: bytesUpTo(2_048),
    signature: bytesUpTo(1_024),
    /** By which it names the account; at the sign-in every passkey says it. */
    userHandle: bytesUpTo(64),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswerSchema>;

/** That it is still the person themselves: their password, and a code where there is a second factor. */
const proof = { password: givenPassword, code: z.string().trim().max(40).optional() };
export const startPasskeySchema = z.strictObject(proof);
export type StartPasskeyInput = z.infer<typeof startPasskeySchema>;

const passkeyName = z
  .string()
  .trim()
  .min(1, { error: "Enter a name" })
  .max(passkeyLimits.name)
  .regex(/^\P{Cc}*$/u, { error: "Control characters are not allowed" });
export const addPasskeySchema = z.strictObject({ name: passkeyName, attestation: passkeyAttestationSchema });
export type AddPasskeyInput = z.input<typeof addPasskeySchema>;

export const renamePasskeySchema = z.strictObject({ id: z.uuid(), name: passkeyName });
export type RenamePasskeyInput = z.input<typeof renamePasskeySchema>;

export const removePasskeySchema = z.strictObject({ id: z.uuid(), ...proof });
export type RemovePasskeyInput = z.infer<typeof removePasskeySchema>;

export type SignInWay = (typeof signInWays)[number];

/** How long sessions may last, and how long without use. */
export const sessionLimits = {
  hours: { min: 1, max: 7 * 24 },
  idleMinutes: { min: 5, max: 7 * 24 * 60, byDefault: 12 * 60 },
} as const;

/** What an organisation asks of a sign-in. */
const signInPolicySchema = z.strictObject({
  /** Whether who signs in with a password needs a second factor. */
  secondFactor: z.boolean(),
  sessionHours: z
    .int({ error: "Whole hours" })
    .min(sessionLimits.hours.min, { error: "At least an hour" })
    .max(sessionLimits.hours.max, { error: "At most seven days" }),
  idleMinutes: z
    .int({ error: "Whole minutes" })
    .min(sessionLimits.idleMinutes.min, { error: "At least five minutes" })
    .max(sessionLimits.idleMinutes.max, { error: "At most seven days" }),
  ways: z.array(z.enum(signInWays)).min(1, { error: "Leave at least one" }).max(signInWays.length),
});
export type SignInPolicy = z.infer<typeof signInPolicySchema>;

/** A missing member stays as it was. */
export const signInPolicyUpdateSchema = signInPolicySchema.partial();
export type SignInPolicyUpdate = z.infer<typeof signInPolicyUpdateSchema>;

/** Who asks for a link to choose a new password. */
export const forgotPasswordSchema = z.strictObject({
  /** Short name; without it the only organisation. */
  organisation: z.string().max(60).nullish(),
  email: z.string().trim().min(1, { error: "Enter your e-mail address" }).max(254),
});
export type ForgotPasswordInput = z.infer<typeof forgotPasswordSchema>;

/** A link's token and the password that somebody chose with it. */
export const setPasswordSchema = z.strictObject({
  token: z.string().min(1).max(200),
  password: newPasswordSchema,
});
export type SetPasswordInput = z.infer<typeof setPasswordSchema>;

const role = z.string().min(1).max(64);
const email = z
  .email({ error: "This is not an e-mail address" })
  .max(254)
  .transform((text) => text.toLowerCase());
/** null: the whole organisation. */
const unitId = z.uuid().nullable();

/** How much there may be of it in one organisation. */
export const accessLimits = {
  customRoles: 100,
  /** Roles of one person, in all places together. */
  assignments: 50,
  /** Links of invitations that are made in an hour. */
  linksPerHour: 100,
  /** Links of one invitation. */
  linksEach: 20,
  openInvitations: 500,
  /** How long the link of an invitation works. */
  invitationDays: 7,
} as const;

/** A role and where it holds. */
export const assignmentSchema = z.strictObject({ role, unitId });

export const listMembersSchema = z.strictObject({
  /** A part of the name or the e-mail address. */
  search: z.string().trim().max(200).optional(),
  state: z.enum(["active", "suspended"]).optional(),
  /** Key of a role. */
  role: role.optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type ListMembersInput = z.input<typeof listMembersSchema>;

export const memberSchema = z.strictObject({ userId: z.uuid() });
export type MemberInput = z.infer<typeof memberSchema>;

export const assignRoleSchema = z.strictObject({ userId: z.uuid(), role, unitId });
export type AssignRoleInput = z.infer<typeof assignRoleSchema>;

export const unassignRoleSchema = z.strictObject({ userId: z.uuid(), assignmentId: z.uuid() });
export type UnassignRoleInput = z.infer<typeof unassignRoleSchema>;

export const endMembershipSchema = z.strictObject({
  userId: z.uuid(),
  /** Who the person's API keys belong to from now on; without it they stop with the person. */
  handKeysTo: z.uuid().optional(),
});
export type EndMembershipInput = z.infer<typeof endMembershipSchema>;

/** A valid API key of a member, as who removes or suspends them is asked about it. */
export interface MemberKey {
  id: string;
  name: string;
  hint: string;
  environmentId: string;
  lastUsedAt: Date | null;
}

const roleFields = {
  name,
  description: z.string().trim().max(500).default(""),
  permissions: z
    .array(z.enum(permissions))
    .min(1, { error: "Tick at least one permission" })
    .max(permissions.length)
    // In the order of the list, each once.
    .transform((wanted) => permissions.filter((permission) => wanted.includes(permission))),
};
export const createRoleSchema = z.strictObject(roleFields);
export type CreateRoleInput = z.input<typeof createRoleSchema>;

export const updateRoleSchema = z.strictObject({ key: role, revision, ...roleFields });
export type UpdateRoleInput = z.input<typeof updateRoleSchema>;

export const roleKeySchema = z.strictObject({ key: role });
export type RoleKeyInput = z.infer<typeof roleKeySchema>;

export const listRoleHoldersSchema = z.object({
  key: role,
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type ListRoleHoldersInput = z.input<typeof listRoleHoldersSchema>;

export const createInvitationSchema = z.strictObject({
  email,
  name,
  assignments: z
    .array(assignmentSchema)
    .min(1, { error: "Choose at least one role" })
    .max(20)
    .refine((list) => new Set(list.map((each) => `${each.role} ${each.unitId ?? ""}`)).size === list.length, {
      error: "Each role once in each place",
    }),
});
export type CreateInvitationInput = z.input<typeof createInvitationSchema>;

export const listInvitationsSchema = z.strictObject({
  limit: z.int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type ListInvitationsInput = z.input<typeof listInvitationsSchema>;

export const invitationSchema = z.strictObject({ id: z.uuid() });
export type InvitationInput = z.infer<typeof invitationSchema>;

/** What the accept page sends: the token of the link alone asks what it is for. */
export const acceptInvitationSchema = z.strictObject({
  token: z.string().max(100),
  accept: z
    .strictObject({
      name: name.optional(),
      password: givenPassword,
    })
    .optional(),
});
