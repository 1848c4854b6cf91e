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
      summary: "Get where the organisation's data may be processed",
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
      summary: "Allow or withdraw the transfer of data to regions",
      description:
        "Replaces the regions outside its own in which the organisation's data may be processed, in force within two seconds. Connections, shorteners and AI services elsewhere are not used. Each permission and each withdrawal goes into the audit trail with the reason. Needs a key of the whole organisation in a production environment.",
      tag,
      body: residencyUpdateSchema,
      answer: {
        status: 200,
        schema: residencyChangedSchema,
        description: "The regions, and what is not used any more",
      },
    },
  }),
};
