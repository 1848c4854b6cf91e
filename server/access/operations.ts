import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { mutation, query, restOnly } from "../operations/operation.ts";
import type { PortalCtx } from "../operations/operation.ts";
import { createKeyForSystems, listKeysForSystems } from "./api-keys-for-systems.ts";
import { assignRole, unassignRole } from "./assign-role.ts";
import { changePassword } from "./change-password.ts";
import { createApiKey } from "./create-api-key.ts";
import { withdrawInvitation } from "./create-invitation.ts";
import { explainAccess } from "./explain-access.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listInvitations } from "./list-invitations.ts";
import { listMemberKeys } from "./list-member-keys.ts";
import { listMembers } from "./list-members.ts";
import { listRoleHolders, listRoles } from "./list-roles.ts";
import { createRole, deleteRole, updateRole } from "./manage-roles.ts";
import {
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from "./manage-second-factor.ts";
import { addPasskey, listPasskeys, removePasskey, renamePasskey, startPasskey } from "./manage-passkeys.ts";
import { listOwnSessions, revokeOwnSession, revokeOwnSessions } from "./manage-sessions.ts";
import { removeMember } from "./remove-member.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import {
  addPasskeySchema,
  apiKeyCreateSchema,
  apiKeyCreatedSchema,
  apiKeyIdSchema,
  apiKeyListQuerySchema,
  apiKeyListSchema,
  assignRoleSchema,
  bothFactorsSchema,
  changePasswordSchema,
  confirmSecondFactorSchema,
  createApiKeySchema,
  createRoleSchema,
  endMembershipSchema,
  handOverApiKeySchema,
  invitationSchema,
  listApiKeysSchema,
  listInvitationsSchema,
  listMembersSchema,
  listRoleHoldersSchema,
  memberSchema,
  ownPasswordSchema,
  removePasskeySchema,
  renamePasskeySchema,
  revokeSessionSchema,
  roleKeySchema,
  rotateApiKeySchema,
  signInPolicyUpdateSchema,
  startPasskeySchema,
  unassignRoleSchema,
  updateApiKeySchema,
  updateRoleSchema,
} from "./schemas.ts";
import { getSignInPolicy, updateSignInPolicy } from "./sign-in-policy.ts";
import { reactivateMember, suspendMember } from "./suspend-member.ts";
import { handOverApiKey, listKeyPeople, updateApiKey } from "./update-api-key.ts";

const keys = { permission: "api_keys:manage" } as const;
const tag = "API keys";
const own = { permission: "session" } as const;
const members = { permission: "members:manage" } as const;

/** API keys. */
export const apiKeyOperations = {
  list: query({ ...keys, input: listApiKeysSchema, run: listApiKeys }),
  create: mutation({ ...keys, input: createApiKeySchema, run: createApiKey }),
  update: mutation({ ...keys, input: updateApiKeySchema, run: updateApiKey }),
  /** Who it can be handed to. */
  people: query({ ...keys, input: apiKeyIdSchema, run: listKeyPeople }),
  handOver: mutation({ ...keys, input: handOverApiKeySchema, run: handOverApiKey }),
  revoke: mutation({
    ...keys,
    input: apiKeyIdSchema,
    run: revokeApiKey,
    rest: {
      method: "DELETE",
      path: "/v1/api-keys/{id}",
      operationId: "revokeApiKey",
      summary: "Revoke an API key",
      description:
        "It is refused everywhere within two seconds. A revoked key stays in the list of ended ones.",
      tag,
      params: apiKeyIdSchema,
      answer: { status: 204, description: "Revoked" },
    },
  }),
  rotate: mutation({ ...keys, input: rotateApiKeySchema, run: rotateApiKey }),
  listForSystems: restOnly({
    ...keys,
    method: "GET",
    path: "/v1/api-keys",
    operationId: "listApiKeys",
    summary: "List API keys",
    description: "The keys of the environment of the key you use, newest first, without their texts.",
    tag,
    query: apiKeyListQuerySchema,
    run: (ctx, { query: asked }) => listKeysForSystems(ctx, asked),
    answer: { status: 200, schema: apiKeyListSchema, description: "One page" },
  }),
  createForSystems: restOnly({
    ...keys,
    method: "POST",
    path: "/v1/api-keys",
    operationId: "createApiKey",
    summary: "Create an API key",
    description:
      "The key is in the answer, this once. It gets no permission that the key you use does not have, and reaches no further.",
    tag,
    body: apiKeyCreateSchema,
    idempotencyKey: true,
    errors: ["not_found", "conflict", "unknown_application"],
    run: async (ctx, { body }) => {
      const { id, key, hint, expiresAt } = await createKeyForSystems(ctx, body);
      return { id, key, hint, expiresAt: expiresAt?.toISOString() ?? null };
    },
    answer: { status: 201, schema: apiKeyCreatedSchema, description: "The key" },
  }),
};

/** The signed-in person's own sessions and password. */
export const sessionOperations = {
  list: query({
    ...own,
    /** `current` marks the caller's session. */
    run: async (ctx) => {
      const { data } = await listOwnSessions(ctx);
      return { data: data.map((session) => ({ ...session, current: session.id === ctx.sessionId })) };
    },
  }),
  revoke: mutation({ ...own, input: revokeSessionSchema, run: revokeOwnSession }),
  /** Everywhere, or everywhere else with `keepCurrent`. */
  revokeAll: mutation({
    ...own,
    input: z.strictObject({ keepCurrent: z.boolean().default(false) }),
    run: (ctx, { keepCurrent }) => revokeOwnSessions(ctx, keepCurrent ? { exceptId: sessionOf(ctx) } : {}),
  }),
  changePassword: mutation({
    ...own,
    input: changePasswordSchema,
    run: (ctx, input) => changePassword(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
};

/** The signed-in person's passkeys. */
export const passkeyOperations = {
  list: query({ ...own, run: listPasskeys }),
  start: mutation({
    ...own,
    input: startPasskeySchema,
    run: (ctx, input) => startPasskey(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
  add: mutation({
    ...own,
    input: addPasskeySchema,
    run: (ctx, input) => addPasskey(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
  rename: mutation({ ...own, input: renamePasskeySchema, run: renamePasskey }),
  remove: mutation({
    ...own,
    input: removePasskeySchema,
    run: (ctx, input) => removePasskey(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
};

/** The signed-in person's second factor. */
export const secondFactorOperations = {
  get: query({ ...own, run: getSecondFactor }),
  start: mutation({
    ...own,
    input: ownPasswordSchema,
    run: (ctx, input) => startSecondFactor(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
  confirm: mutation({
    ...own,
    input: confirmSecondFactorSchema,
    run: (ctx, input) => confirmSecondFactor(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
  renewRecoveryCodes: mutation({
    ...own,
    input: bothFactorsSchema,
    run: (ctx, input) => renewRecoveryCodes(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
  remove: mutation({
    ...own,
    input: bothFactorsSchema,
    run: (ctx, input) => removeSecondFactor(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
};

/** What the organisation asks of a sign-in. */
export const signInPolicyOperations = {
  get: query({ permission: "settings:manage", run: getSignInPolicy }),
  update: mutation({
    permission: "settings:manage",
    input: signInPolicyUpdateSchema,
    run: (ctx, input) => updateSignInPolicy(ctx, { ...input, sessionId: sessionOf(ctx) }),
  }),
};

function sessionOf({ sessionId }: PortalCtx): string {
  if (sessionId === undefined) throw new DomainError("unauthenticated", "Sign in first.");
  return sessionId;
}

/** The people of the organisation. */
export const memberOperations = {
  list: query({ ...members, input: listMembersSchema, run: listMembers }),
  /** What somebody may do, and why. */
  access: query({ ...members, input: memberSchema, run: explainAccess }),
  assignRole: mutation({ ...members, input: assignRoleSchema, run: assignRole }),
  unassignRole: mutation({ ...members, input: unassignRoleSchema, run: unassignRole }),
  /** What ends or changes hands when somebody is removed or suspended. */
  keys: query({ ...members, input: memberSchema, run: listMemberKeys }),
  suspend: mutation({ ...members, input: endMembershipSchema, run: suspendMember }),
  reactivate: mutation({ ...members, input: memberSchema, run: reactivateMember }),
  remove: mutation({ ...members, input: endMembershipSchema, run: removeMember }),
  invitations: query({ ...members, input: listInvitationsSchema, run: listInvitations }),
  withdrawInvitation: mutation({ ...members, input: invitationSchema, run: withdrawInvitation }),
};

/** What people and keys may be allowed to do. */
export const roleOperations = {
  list: query({ permission: ["members:manage", "api_keys:manage"], run: listRoles }),
  /** Who has a role. */
  holders: query({ ...members, input: listRoleHoldersSchema, run: listRoleHolders }),
  create: mutation({ ...members, input: createRoleSchema, run: createRole }),
  update: mutation({ ...members, input: updateRoleSchema, run: updateRole }),
  delete: mutation({ ...members, input: roleKeySchema, run: deleteRole }),
};
