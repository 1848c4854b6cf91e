import { mutation, query } from "../operations/operation.ts";
import { getResidency } from "./get-residency.ts";
import { residencyChangedSchema, residencySchema, residencyUpdateSchema } from "./schemas.ts";
import { updateResidency } from "./update-residency.ts";

const tag = "Organisation";
const permission = "settings:manage";

/** Where the organisation's data may be processed. */
export const residencyOperations = {
  get: query({
    permission,
    run: getResidency,
    rest: {
      method: "GET",
      path: "/v1/residency",
      operationId: "getResidency",
      summary: "Get the allowed data regions",
      description: "Also lists what processes data in which region. Needs a key of the whole organisation.",
      tag,
      answer: { status: 200, schema: residencySchema, description: "The regions, and what uses them" },
    },
  }),
  update: mutation({
    permission,
    input: residencyUpdateSchema,
    run: updateResidency,
    rest: {
      method: "PUT",
      path: "/v1/residency",
      operationId: "updateResidency",
      errors: ["revision_conflict"],
      summary: "Change the allowed data regions",
      description:
        "Replaces the additional regions where the organisation's data may be processed. Takes effect within two seconds. Connections, shorteners and AI services elsewhere are not used. The audit trail records each change with its reason. Needs a key of the whole organisation in a production environment.",
      tag,
      body: residencyUpdateSchema,
      answer: {
        status: 200,
        schema: residencyChangedSchema,
        description: "The regions, and what is no longer used",
      },
    },
  }),
};
