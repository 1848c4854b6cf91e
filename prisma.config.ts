import { defineConfig } from "prisma/config";

/**
 * For Prisma's own command line (`prisma migrate deploy`, `prisma generate`). Migrations refer to
 * graphile-worker's functions: create those first (`npm run migrate` does both).
 */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
