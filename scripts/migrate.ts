/** `npm run migrate`: brings DATABASE_URL, or the embedded database, up to date. */
import { withOwnerUrl } from "./lib/database.ts";
import { migrate } from "./lib/migrations.ts";
import { dataFolder } from "./lib/paths.ts";

const applied = await withOwnerUrl(dataFolder(), migrate);
console.log(applied.length === 0 ? "The database is up to date." : `Applied: ${applied.join(", ")}`);
