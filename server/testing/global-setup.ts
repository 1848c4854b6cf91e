import type { TestProject } from "vitest/node";
import { allowRoleLogins } from "../../scripts/lib/database.ts";
import { generateClient } from "../../scripts/lib/generate.ts";
import { migrate } from "../../scripts/lib/migrations.ts";
import { ensureDatabase, ownerUrl } from "../../scripts/lib/postgres.ts";
import { startThrowaway } from "../../scripts/lib/throwaway.ts";

/** What test files need to clone a database of their own. The passwords are only for this run. */
export type TestCluster = {
  /** Address of the maintenance database, as the owner. */
  adminUrl: string;
  template: string;
  webPassword: string;
  workerPassword: string;
};

declare module "vitest" {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

const TEMPLATE = "tidings_template";

/** One Postgres for the whole run, migrated once into a database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await generateClient();
  const { cluster, stop } = await startThrowaway();
  try {
    await ensureDatabase(cluster, TEMPLATE);
    await migrate(ownerUrl(cluster, TEMPLATE));
    const passwords = { webPassword: "web", workerPassword: "worker" };
    await allowRoleLogins(ownerUrl(cluster, TEMPLATE), passwords);
    project.provide("cluster", {
      adminUrl: ownerUrl(cluster, "postgres"),
      template: TEMPLATE,
      ...passwords,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
