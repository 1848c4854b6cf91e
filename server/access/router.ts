import { z } from "zod";
import { procedure, router } from "../trpc/init.ts";
import { changePassword } from "./change-password.ts";
import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listOwnSessions, revokeOwnSession, revokeOwnSessions } from "./manage-sessions.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import {
  changePasswordSchema,
  createApiKeySchema,
  listApiKeysSchema,
  revokeApiKeySchema,
  revokeSessionSchema,
  rotateApiKeySchema,
} from "./schemas.ts";

export const apiKeysRouter = router({
  list: procedure
    .meta({ permission: "api_keys:manage" })
    .input(listApiKeysSchema)
    .query(({ ctx, input }) => listApiKeys(ctx.tidings, input)),
  create: procedure
    .meta({ permission: "api_keys:manage" })
    .input(createApiKeySchema)
    .mutation(({ ctx, input }) => createApiKey(ctx.tidings, input)),
  revoke: procedure
    .meta({ permission: "api_keys:manage" })
    .input(revokeApiKeySchema)
    .mutation(({ ctx, input }) => revokeApiKey(ctx.tidings, input)),
  rotate: procedure
    .meta({ permission: "api_keys:manage" })
    .input(rotateApiKeySchema)
    .mutation(({ ctx, input }) => rotateApiKey(ctx.tidings, input)),
});

export const sessionsRouter = router({
  /** `current` marks the session that asks. */
  list: procedure.meta({ permission: "session" }).query(async ({ ctx }) => {
    const { data } = await listOwnSessions(ctx.tidings);
    return { data: data.map((session) => ({ ...session, current: session.id === ctx.session.id })) };
  }),
  revoke: procedure
    .meta({ permission: "session" })
    .input(revokeSessionSchema)
    .mutation(({ ctx, input }) => revokeOwnSession(ctx.tidings, input)),
  /** Everywhere, or with `keepCurrent` everywhere else. */
  revokeAll: procedure
    .meta({ permission: "session" })
    .input(z.strictObject({ keepCurrent: z.boolean().default(false) }))
    .mutation(({ ctx, input }) =>
      revokeOwnSessions(ctx.tidings, input.keepCurrent ? { exceptId: ctx.session.id } : {}),
    ),
  changePassword: procedure
    .meta({ permission: "session" })
    .input(changePasswordSchema)
    .mutation(({ ctx, input }) => changePassword(ctx.tidings, { ...input, sessionId: ctx.session.id })),
});
