import { mutation, query, restOnly } from "../operations/operation.ts";
import { getObjectives, getObjectivesOfKey } from "./get-objectives.ts";
import { createIncident, removeIncident, updateIncident } from "./incidents.ts";
import { changeObjectives } from "./manage-objectives.ts";
import {
  incidentCreateSchema,
  incidentIdSchema,
  incidentUpdateSchema,
  objectiveChangeSchema,
  objectivesSchema,
  statusPageChangeSchema,
} from "./schemas.ts";
import { changeStatusPage, getStatusPage } from "./status-page.ts";

/** Objectives, their error budgets, and the status page. */
export const objectiveOperations = {
  get: query({ permission: "reports:read", run: getObjectives }),
  change: mutation({ permission: "settings:manage", input: objectiveChangeSchema, run: changeObjectives }),
  statusPage: query({ permission: "reports:read", run: getStatusPage }),
  changeStatusPage: mutation({
    permission: "settings:manage",
    input: statusPageChangeSchema,
    run: changeStatusPage,
  }),
  createIncident: mutation({
    permission: "settings:manage",
    input: incidentCreateSchema,
    run: createIncident,
  }),
  updateIncident: mutation({
    permission: "settings:manage",
    input: incidentUpdateSchema,
    run: updateIncident,
  }),
  removeIncident: mutation({ permission: "settings:manage", input: incidentIdSchema, run: removeIncident }),
  getOfKey: restOnly({
    permission: "reports:read",
    method: "GET",
    path: "/v1/objectives",
    operationId: "getObjectives",
    summary: "Get objectives and error budgets",
    description:
      "Of the whole organisation in the last 30 days: send requests that were accepted, and one-time codes that were handed to a provider in time. The key must see reports of the whole organisation.",
    tag: "Reports",
    run: (ctx) => getObjectivesOfKey(ctx),
    answer: { status: 200, schema: objectivesSchema, description: "Both objectives, and the newest alerts" },
  }),
};
