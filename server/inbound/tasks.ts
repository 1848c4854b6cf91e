import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Tells messages from recipients of which parts are missing. */
export const tellIncompleteTask = defineTask("tell_incomplete_messages", z.object({}).loose());
