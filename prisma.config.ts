import { defineConfig } from "prisma/config";

/**
 * For Prisma's own command line (`prisma generate`). `prisma migrate deploy` makes the tables only: they refer to
 * graphile-worker's, which must be there, and functions and policies come after them. `npm run migrate` does all three.
 */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
