import { sharedDb } from "../kernel/db.ts";
import type { RestDeps } from "./serve-route.ts";

/** Dependencies of the web process's routes. */
export const restDeps: RestDeps = { db: () => sharedDb("web") };
