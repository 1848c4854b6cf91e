import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
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

export const apiKeysRouter = router({
  list: procedure
    .meta({ permissions: ["api_keys:manage"] })
    .input(listApiKeysSchema)
    .query(({ ctx, input }) => listApiKeys(ctx.tidings, input)),
  create: procedure
    .meta({ permissions: ["api_keys:manage"] })
    .input(createApiKeySchema)
    .mutation(({ ctx, input }) => createApiKey(ctx.tidings, input)),
  revoke: procedure
    .meta({ permissions: ["api_keys:manage"] })
    .input(revokeApiKeySchema)
    .mutation(({ ctx, input }) => revokeApiKey(ctx.tidings, input)),
  rotate: procedure
    .meta({ permissions: ["api_keys:manage"] })
    .input(rotateApiKeySchema)
    .mutation(({ ctx, input }) => rotateApiKey(ctx.tidings, input)),
});

export const sessionsRouter = router({
  /** `current` marks the session that asks. */
  list: procedure.meta({ permissions: [] }).query(async ({ ctx }) => {
    const { data } = await listOwnSessions(ctx.tidings);
    return { data: data.map((session) => ({ ...session, current: session.id === ctx.session.id })) };
  }),
  revoke: procedure
    .meta({ permissions: [] })
    .input(revokeSessionSchema)
    .mutation(({ ctx, input }) => revokeOwnSession(ctx.tidings, input)),
  /** Everywhere, or with `keepCurrent` everywhere else. */
  revokeAll: procedure
    .meta({ permissions: [] })
    .input(z.strictObject({ keepCurrent: z.boolean().default(false) }))
    .mutation(({ ctx, input }) =>
      revokeOwnSessions(ctx.tidings, input.keepCurrent ? { exceptId: ctx.session.id } : {}),
    ),
  changePassword: procedure
    .meta({ permissions: [] })
    .input(changePasswordSchema)
    .mutation(({ ctx, input }) => changePassword(ctx.tidings, { ...input, sessionId: ctx.session.id })),
});

export const membersRouter = router({
  list: procedure.meta({ permissions: ["members:manage"] }).query(({ ctx }) => listMembers(ctx.tidings)),
  add: procedure
    .meta({ permissions: ["members:manage"] })
    .input(addMemberSchema)
    .mutation(({ ctx, input }) => addMember(ctx.tidings, input)),
  setRole: procedure
    .meta({ permissions: ["members:manage"] })
    .input(setMemberRoleSchema)
    .mutation(({ ctx, input }) => setMemberRole(ctx.tidings, input)),
  /** What API keys somebody has, before they are removed. */
  keys: procedure
    .meta({ permissions: ["members:manage"] })
    .input(memberKeysSchema)
    .query(({ ctx, input }) => listMemberKeys(ctx.tidings, input)),
  remove: procedure
    .meta({ permissions: ["members:manage"] })
    .input(removeMemberSchema)
    .mutation(({ ctx, input }) => removeMember(ctx.tidings, input)),
});
