import type { Page } from "@playwright/test";
import { hashPassword } from "../../server/access/password.ts";
import { newId } from "../../server/kernel/ids.ts";
import { builtInRoles } from "../../server/operations/permissions.ts";
import { query } from "./cluster.ts";
import type { World } from "./world.ts";

/** Somebody who signs in to the portal of an organisation. */
export interface Person {
  email: string;
  password: string;
  /** Short name of the organisation. */
  slug: string;
}

/** Gives an organisation somebody who may see all of it. */
export async function addOwner(url: string, world: World, slug: string): Promise<Person> {
  const person = { email: `owner@${slug}.example`, password: newId(), slug };
  const { name, permissions } = builtInRoles.owner;
  await query(
    url,
    `WITH role AS (INSERT INTO roles (tenant_id, id, key, name, permissions, built_in) VALUES ($1, $2, 'owner', $3, $4, true) RETURNING id),
       person AS (INSERT INTO users (tenant_id, id, email, name, password_hash) VALUES ($1, $5, $6, 'Owner', $7) RETURNING id)
     INSERT INTO role_assignments (tenant_id, id, user_id, role_id) SELECT $1, $8, person.id, role.id FROM person, role`,
    [
      world.tenantId,
      newId(),
      name,
      permissions,
      newId(),
      person.email,
      await hashPassword(person.password),
      newId(),
    ],
  );
  return person;
}

export async function signIn(page: Page, { email, password, slug }: Person): Promise<void> {
  await page.goto(`/sign-in?organisation=${slug}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`**/${slug}/**`);
}
