import { sharedDb } from "../kernel/db.ts";
import type { RestDeps } from "./serve-route.ts";

/** What the web process serves with. */
export const restDeps: RestDeps = { db: () => sharedDb("web") };
