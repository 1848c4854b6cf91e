import { mutation, query } from "../operations/operation.ts";
import type { Permission } from "../operations/permissions.ts";
import { changeView, listViews, removeView, saveView } from "./saved-views.ts";
import {
  changeSchedule,
  createSchedule,
  leaveSchedule,
  listSchedules,
  pauseSchedule,
  removeSchedule,
} from "./schedules.ts";
import {
  scheduleInputSchema,
  schedulePauseSchema,
  scheduleUpdateSchema,
  viewIdSchema,
  viewInputSchema,
  viewListSchema,
  viewUpdateSchema,
} from "./schemas.ts";

/** Any; the use case asks for that of the view's page. */
const permission: readonly [Permission, ...Permission[]] = [
  "notifications:read",
  "reports:read",
  "costs:read",
];

/** What pages show, under a name; and its figures by mail. */
export const reportOperations = {
  views: query({ permission, input: viewListSchema, run: listViews }),
  saveView: mutation({ permission, input: viewInputSchema, run: saveView }),
  changeView: mutation({ permission, input: viewUpdateSchema, run: changeView }),
  removeView: mutation({ permission, input: viewIdSchema, run: removeView }),
  schedules: query({ permission, run: listSchedules }),
  schedule: mutation({ permission, input: scheduleInputSchema, run: createSchedule }),
  changeSchedule: mutation({ permission, input: scheduleUpdateSchema, run: changeSchedule }),
  pauseSchedule: mutation({ permission, input: schedulePauseSchema, run: pauseSchedule }),
  leaveSchedule: mutation({ permission, input: viewIdSchema, run: leaveSchedule }),
  removeSchedule: mutation({ permission, input: viewIdSchema, run: removeSchedule }),
};
