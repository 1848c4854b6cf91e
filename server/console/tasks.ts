import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Goes on with the organisations that operators delete. */
export const deleteOrganisationsTask = defineTask("delete_organisations", z.object({}).loose());
