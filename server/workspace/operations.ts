import { mutation, query } from "../operations/operation.ts";
import {
  archiveApplicationSchema,
  createApplicationSchema,
  createEnvironmentSchema,
  createNotificationTypeSchema,
  createUnitSchema,
  deletePartSchema,
  dependentsSchema,
  updateApplicationSchema,
  updateEnvironmentSchema,
  updateNotificationTypeSchema,
  updateOrganisationSchema,
  updateUnitSchema,
} from "../tenancy/schemas.ts";
import { archiveApplication, updateApplication } from "./change-application.ts";
import { deleteEnvironment, updateEnvironment } from "./change-environment.ts";
import { deleteNotificationType, updateNotificationType } from "./change-notification-type.ts";
import { deleteUnit, updateUnit } from "./change-unit.ts";
import { createApplication } from "./create-application.ts";
import { createEnvironment } from "./create-environment.ts";
import { createNotificationType } from "./create-notification-type.ts";
import { createUnit } from "./create-unit.ts";
import { getDependents } from "./dependents.ts";
import { getMe, listNotificationTypes, listTypeManagers } from "./get-workspace.ts";
import { updateOrganisation } from "./update-organisation.ts";

const permission = "organization:manage";

/** The organisation's structure. */
export const workspaceOperations = {
  me: query({ permission: "session", run: getMe }),
  notificationTypes: query({
    permission: ["templates:read", "notifications:read", "organization:manage"],
    run: listNotificationTypes,
  }),
  /** Whom to ask for a type that is missing. */
  typeManagers: query({
    permission: ["templates:read", "notifications:read", "organization:manage"],
    run: listTypeManagers,
  }),
  updateOrganisation: mutation({ permission, input: updateOrganisationSchema, run: updateOrganisation }),
  /** What hangs on a part, before it is deleted or archived. */
  dependents: query({ permission, input: dependentsSchema, run: getDependents }),
  createUnit: mutation({ permission, input: createUnitSchema, run: createUnit }),
  updateUnit: mutation({ permission, input: updateUnitSchema, run: updateUnit }),
  deleteUnit: mutation({ permission, input: deletePartSchema, run: deleteUnit }),
  createEnvironment: mutation({ permission, input: createEnvironmentSchema, run: createEnvironment }),
  updateEnvironment: mutation({ permission, input: updateEnvironmentSchema, run: updateEnvironment }),
  deleteEnvironment: mutation({ permission, input: deletePartSchema, run: deleteEnvironment }),
  createApplication: mutation({ permission, input: createApplicationSchema, run: createApplication }),
  updateApplication: mutation({ permission, input: updateApplicationSchema, run: updateApplication }),
  archiveApplication: mutation({ permission, input: archiveApplicationSchema, run: archiveApplication }),
  createNotificationType: mutation({
    permission,
    input: createNotificationTypeSchema,
    run: createNotificationType,
  }),
  updateNotificationType: mutation({
    permission,
    input: updateNotificationTypeSchema,
    run: updateNotificationType,
  }),
  deleteNotificationType: mutation({ permission, input: deletePartSchema, run: deleteNotificationType }),
};
