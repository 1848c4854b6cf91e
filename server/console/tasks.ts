import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Carries out what an operator asked for; added by enqueue_channel_request(). */
export const carryOutChannelRequestTask = defineTask("carry_out_channel_request", z.object({ id: z.uuid() }));

/** Goes on with the organisations that operators delete. */
export const deleteOrganisationsTask = defineTask("delete_organisations", z.object({}).loose());
