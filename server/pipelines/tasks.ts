import { z } from "zod";
import { defineTask } from "../kernel/tasks.ts";

/** Deploys what is automatic and has passed its last gate after the last approval; run by the clock. */
export const deployPassedTask = defineTask("deploy_passed_promotions", z.object({}).loose());
