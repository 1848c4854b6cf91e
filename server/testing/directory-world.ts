import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { createToken } from "../directory/manage-tokens.ts";
import { addDomain, verifyDomain } from "../directory/manage-domains.ts";
import { segmentsOf } from "../rest/path-tree.ts";
import { pathTree, servePath } from "../rest/serve-path.ts";
import type { TestDatabase } from "./database.ts";
import { makeTenant } from "./factories.ts";

/** What answers consist of: which members there are depends on what was asked. */
export interface ScimBody {
  schemas: string[];
  id: string;
  userName: string;
  displayName: string;
  active: boolean;
  members: { value: string }[];
  attributes: { name: string }[];
  endpoint: string;
  totalResults: number;
  Resources: ScimBody[];
  status: string;
  scimType?: string;
  detail: string;
}

export interface ScimAnswer {
  status: number;
  headers: Headers;
  body: ScimBody;
}

/** Calls SCIM in process, as a directory does: real requests, the real dispatcher, the given database. */
export function scimClient(database: Pick<TestDatabase, "web">, token: string | null) {
  const tree = pathTree({ db: () => database.web });
  return async (
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimAnswer> => {
    const target = `/scim/v2${path}`;
    const request = new Request(`http://tidings.test${target}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { "content-type": "application/scim+json; charset=utf-8" }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: typeof json === "string" ? json : JSON.stringify(json) }),
    });
    const response = await servePath(tree, request, segmentsOf(target.split("?", 1)[0] ?? target));
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? {} : JSON.parse(text)) as ScimBody,
    };
  };
}

/** A tenant with a proven domain and a token of its directory. */
export async function makeDirectory(database: TestDatabase) {
  const tenant = await makeTenant(database);
  const domain = `${tenant.slug}.example`;
  const owner = tenant.as("owner");
  const { id, record } = await addDomain(owner, { name: domain });
  await verifyDomain(owner, { id }, () => Promise.resolve([record.text]));
  const { id: tokenId, token } = await createToken(owner, { name: "Entra" });
  const scim = scimClient(database, token);
  const address = (name = newId().slice(-10)) => `${name}@${domain}`;
  return {
    tenant,
    owner,
    domain,
    token,
    tokenId,
    scim,
    address,
    /** Somebody whom the directory has made a member. */
    addPerson: async (extra: Record<string, unknown> = {}): Promise<{ id: string; userName: string }> => {
      const userName = address();
      const answer = await scim("POST", "/Users", { userName, displayName: "Ada Lovelace", ...extra });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return { id: (answer.body as { id: string }).id, userName };
    },
    addGroup: async (name: string, members: readonly string[] = []): Promise<string> => {
      const answer = await scim("POST", "/Groups", {
        displayName: name,
        members: members.map((value) => ({ value })),
      });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return (answer.body as { id: string }).id;
    },
    rolesOf: (userId: string): Promise<{ role: string; unitId: string | null; fromDirectory: boolean }[]> =>
      inTenant(
        tenant.system,
        (tx) =>
          tx.$queryRaw`SELECT r.key AS role, a.unit_id AS "unitId", a.from_directory AS "fromDirectory"
          FROM role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
          WHERE a.tenant_id = ${tenant.tenantId}::uuid AND a.user_id = ${userId}::uuid ORDER BY r.key, a.from_directory`,
      ),
    auditOf: async (
      targetId: string,
    ): Promise<{ action: string; actor: string; data: Record<string, unknown> }[]> => {
      const { rows } = await database.owner.query<{
        action: string;
        actor: string;
        data: Record<string, unknown>;
      }>(
        "SELECT action, actor_name AS actor, data FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
        [tenant.tenantId, targetId],
      );
      return rows;
    },
  };
}
