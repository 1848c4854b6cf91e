/** `npm run build`: the Prisma client and the portal, ready for `npm run web`. */
import { build } from "./lib/build.ts";

await build({ quiet: false });
