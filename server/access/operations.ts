import { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { mutation, query } from "../operations/operation.ts";
import type { PortalCtx } from "../operations/operation.ts";
import { addMember } from "./add-member.ts";
import { changePassword } from "./change-password.ts";
import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listMemberKeys } from "./list-member-keys.ts";
import { listMembers } from "./list-members.ts";
import { listOwnSessions, revokeOwnSession, revokeOwnSessions } from "./manage-sessions.ts";
import { removeMember } from "./remove-member.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import {
  addMemberSchema,
  changePasswordSchema,
  createApiKeySchema,
  listApiKeysSchema,
  memberKeysSchema,
  removeMemberSchema,
  revokeApiKeySchema,
  revokeSessionSchema,
  rotateApiKeySchema,
  setMemberRoleSchema,
} from "./schemas.ts";
import { setMemberRole } from "./set-member-role.ts";

const keys = { permission: "api_keys:manage" } as const;
const own = { permission: "session" } as const;
const members = { permission: "members:manage" } as const;

/** API keys. */
export const apiKeyOperations = {
  list: query({ ...keys, input: listApiKeysSchema, run: listApiKeys }),
  create: mutation({ ...keys, input: createApiKeySchema, run: createApiKey }),
  revoke: mutation({ ...keys, input: revokeApiKeySchema, run: revokeApiKey }),
  rotate: mutation({ ...keys, input: rotateApiKeySchema, run: rotateApiKey }),
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

function sessionOf({ sessionId }: PortalCtx): string {
  if (sessionId === undefined) throw new DomainError("unauthenticated", "Sign in first.");
  return sessionId;
}

/** The people of the organisation. */
export const memberOperations = {
  list: query({ ...members, run: listMembers }),
  add: mutation({ ...members, input: addMemberSchema, run: addMember }),
  setRole: mutation({ ...members, input: setMemberRoleSchema, run: setMemberRole }),
  /** Somebody's API keys, before they are removed. */
  keys: query({ ...members, input: memberKeysSchema, run: listMemberKeys }),
  remove: mutation({ ...members, input: removeMemberSchema, run: removeMember }),
};
