import { countSignIn } from "../access/sign-in-limits.ts";
import { callerGroup } from "../kernel/client-address.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { createOrganisation } from "./create-organisation.ts";
import { exampleRequest, firstApplication, firstTeam } from "./first-application.ts";
import { insertFirstTenant } from "./queries.ts";
import { setUpSchema } from "./schemas.ts";
import type { SetUpDone, SetUpInput } from "./schemas.ts";
import { hashOfToken, isSetUpToken, readSetUpToken } from "./set-up-token.ts";

/**
 * Makes the first organisation of an installation for whoever has the token that is in its log. Throws `not_found` once
 * there is one, `invalid_request` for another token, `sign_in_slowed` after too many of them. Of several at the same time
 * one succeeds.
 * @param db the web's door
 */
export async function setUp(db: Db, input: SetUpInput & { ip: string | null }): Promise<SetUpDone> {
  const { ip, ...fields } = input;
  const expected = await readSetUpToken(db.pool);
  if (expected === undefined) throw notFound();
  const attempt = await countSignIn(db, {
    source: `set-up ${ip === null ? "unknown" : callerGroup(ip)}`,
    account: null,
    address: null,
    site: null,
  });
  const wanted = setUpSchema.parse(fields);
  if (expected === null || !isSetUpToken(wanted.token, expected)) {
    throw new DomainError("invalid_request", "This is not the token of this installation.", {
      errors: [
        { pointer: "/token", code: "wrong_token", detail: "Not the token that is in the log; copy it again" },
      ],
    });
  }
  await attempt.succeeded();
  const { name, slug, dataRegion, country, language, email } = wanted;
  const made = await createOrganisation(
    db,
    {
      name,
      slug,
      dataRegion,
      country,
      language,
      owner: { email, name: wanted.ownerName, password: wanted.password },
      team: firstTeam,
      application: firstApplication,
    },
    {
      insert: async (tx, row) => {
        if (!(await insertFirstTenant(tx, hashOfToken(wanted.token), row))) throw notFound();
      },
    },
  );
  return {
    slug,
    email,
    sandboxKey: made.sandboxKey.key,
    example: exampleRequest({ application: firstApplication.name, country, language }),
  };
}
