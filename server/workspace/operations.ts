import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import {
  archiveApplicationSchema,
  createApplicationSchema,
  createEnvironmentSchema,
  createNotificationTypeSchema,
  createUnitSchema,
  deletePartSchema,
  dependentsSchema,
  notificationTypeChangeSchema,
  notificationTypeListSchema,
  notificationTypeSchema,
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
const tag = "Organisation";
const inProduction = "Needs a key of the whole organisation in a production environment.";
const oneType = z.object({ id: z.uuid().meta({ description: "The notification type" }) });

/** The organisation's structure. */
export const workspaceOperations = {
  me: query({ permission: "session", run: getMe }),
  notificationTypes: query({
    permission: ["templates:read", "notifications:read", "organization:manage"],
    run: listNotificationTypes,
    rest: {
      method: "GET",
      path: "/v1/notification-types",
      operationId: "listNotificationTypes",
      summary: "List the notification types",
      description:
        "The types and subtypes that messages and templates can have. They are the same in every environment.",
      tag,
      answer: { status: 200, schema: notificationTypeListSchema, description: "All of them, by name" },
    },
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
    rest: {
      method: "POST",
      path: "/v1/notification-types",
      operationId: "createNotificationType",
      idempotencyKey: true,
      errors: ["conflict"],
      summary: "Create a notification type",
      description: `Its class decides how soon its messages go, how long they are tried and what consent they need. ${inProduction}`,
      tag,
      body: createNotificationTypeSchema,
      answer: { status: 201, schema: notificationTypeSchema, description: "The type" },
    },
  }),
  updateNotificationType: mutation({
    permission,
    input: updateNotificationTypeSchema,
    run: updateNotificationType,
    rest: {
      method: "PUT",
      path: "/v1/notification-types/{id}",
      operationId: "updateNotificationType",
      errors: ["conflict", "revision_conflict"],
      summary: "Change a notification type",
      description: `Replaces class and subtypes; the name stays. Send those you read as expected, so that nobody else's change is lost. Messages that are accepted from then on follow the new class. A subtype that templates or routing rules are for can't be removed. ${inProduction}`,
      tag,
      params: oneType,
      body: notificationTypeChangeSchema,
      answer: { status: 200, schema: notificationTypeSchema, description: "The type as it is now" },
    },
  }),
  deleteNotificationType: mutation({
    permission,
    input: deletePartSchema,
    run: deleteNotificationType,
    rest: {
      method: "DELETE",
      path: "/v1/notification-types/{id}",
      operationId: "deleteNotificationType",
      errors: ["conflict"],
      summary: "Delete a notification type",
      description: `Only one that no template and no routing rule is for. ${inProduction}`,
      tag,
      params: oneType,
      answer: { status: 204, description: "Deleted" },
    },
  }),
};
