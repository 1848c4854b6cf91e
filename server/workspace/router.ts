import {
  createApplicationSchema,
  createEnvironmentSchema,
  createNotificationTypeSchema,
  createUnitSchema,
} from "../tenancy/schemas.ts";
import { procedure, router } from "../trpc/init.ts";
import { createApplication } from "./create-application.ts";
import { createEnvironment } from "./create-environment.ts";
import { createNotificationType } from "./create-notification-type.ts";
import { createUnit } from "./create-unit.ts";
import { getWorkspace, listNotificationTypes } from "./get-workspace.ts";

export const tenancyRouter = router({
  /** The signed-in person and their view of the tenant. */
  me: procedure.meta({ permissions: [] }).query(async ({ ctx }) => ({
    user: ctx.session.user,
    roles: ctx.session.roles,
    sessionId: ctx.session.id,
    ...(await getWorkspace(ctx.tidings)),
  })),
  notificationTypes: procedure
    .meta({ permissions: ["templates:read"] })
    .query(({ ctx }) => listNotificationTypes(ctx.tidings)),
  createUnit: procedure
    .meta({ permissions: ["organization:manage"] })
    .input(createUnitSchema)
    .mutation(({ ctx, input }) => createUnit(ctx.tidings, input)),
  createEnvironment: procedure
    .meta({ permissions: ["organization:manage"] })
    .input(createEnvironmentSchema)
    .mutation(({ ctx, input }) => createEnvironment(ctx.tidings, input)),
  createApplication: procedure
    .meta({ permissions: ["organization:manage"] })
    .input(createApplicationSchema)
    .mutation(({ ctx, input }) => createApplication(ctx.tidings, input)),
  createNotificationType: procedure
    .meta({ permissions: ["organization:manage"] })
    .input(createNotificationTypeSchema)
    .mutation(({ ctx, input }) => createNotificationType(ctx.tidings, input)),
});
