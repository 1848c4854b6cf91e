import { z } from "zod";
import { mutation, query } from "../operations/operation.ts";
import { getIntegrity } from "./get-integrity.ts";
import { getEvent, listChoices, listEvents } from "./list-events.ts";
import { auditEventSchema, auditListQuerySchema, auditListSchema, retentionSchema } from "./schemas.ts";
import { setRetention } from "./set-retention.ts";

const permission = "audit:read";
const one = z.object({ id: z.uuid() });
const tag = "Audit";

/** The audit trail. */
export const auditOperations = {
  list: query({
    permission,
    input: auditListQuerySchema,
    run: listEvents,
    rest: {
      method: "GET",
      path: "/v1/audit-events",
      operationId: "listAuditEvents",
      summary: "List audit events",
      description:
        "Changes, newest first. A key sees events of its unit and environment, or of no environment. A key bound to an application sees changes to that application only.",
      tag,
      query: auditListQuerySchema,
      answer: { status: 200, schema: auditListSchema, description: "One page, newest first" },
    },
  }),
  get: query({
    permission,
    input: one,
    run: getEvent,
    rest: {
      method: "GET",
      path: "/v1/audit-events/{id}",
      operationId: "getAuditEvent",
      summary: "Get an audit event",
      tag,
      params: one,
      answer: { status: 200, schema: auditEventSchema, description: "The event" },
    },
  }),
  choices: query({ permission, run: listChoices }),
  integrity: query({ permission, run: getIntegrity }),
  setRetention: mutation({ permission: "settings:manage", input: retentionSchema, run: setRetention }),
};
