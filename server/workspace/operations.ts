import { mutation, query } from "../operations/operation.ts";
import {
  createApplicationSchema,
  createEnvironmentSchema,
  createNotificationTypeSchema,
  createUnitSchema,
} from "../tenancy/schemas.ts";
import { createApplication } from "./create-application.ts";
import { createEnvironment } from "./create-environment.ts";
import { createNotificationType } from "./create-notification-type.ts";
import { createUnit } from "./create-unit.ts";
import { getMe, listNotificationTypes } from "./get-workspace.ts";

const permission = "organization:manage";

/** The organisation's structure. */
export const workspaceOperations = {
  me: query({ permission: "session", run: getMe }),
  notificationTypes: query({
    permission: ["templates:read", "notifications:read"],
    run: listNotificationTypes,
  }),
  createUnit: mutation({ permission, input: createUnitSchema, run: createUnit }),
  createEnvironment: mutation({ permission, input: createEnvironmentSchema, run: createEnvironment }),
  createApplication: mutation({ permission, input: createApplicationSchema, run: createApplication }),
  createNotificationType: mutation({
    permission,
    input: createNotificationTypeSchema,
    run: createNotificationType,
  }),
};
