/** `npm run generate`: the Prisma client in server/kernel/prisma/generated, unless it is up to date. */
import { generateClient } from "./lib/generate.ts";

await generateClient();
