import { Liquid } from "liquidjs";
import { inTenant, openDb } from "../../server/kernel/db.ts";
import { newId } from "../../server/kernel/ids.ts";
import { createPromotion } from "../../server/pipelines/create-promotion.ts";
import { rollBackPromotion } from "../../server/pipelines/roll-back-promotion.ts";
import { compileVersion, renderCompiled } from "../../server/template-language/render.ts";
import type { VersionContent } from "../../server/template-language/render.ts";
import { smsSegments } from "../../server/template-language/segments.ts";
import { previewTemplate } from "../../server/templates/preview-template.ts";
import { templatePreviewInputSchema } from "../../server/templates/schemas.ts";
import { makeTenant } from "../../server/testing/factories.ts";
import { query } from "../lib/cluster.ts";
import { measure, percentile } from "../lib/run.ts";
import type { Measure, Run } from "../lib/run.ts";

const variables: VersionContent["variables"] = [
  { name: "name", type: "string", required: true, example: "Ada" },
  { name: "order", type: "string", required: true, example: "A-1042" },
  { name: "total", type: "number", required: true, example: "12.50" },
  { name: "eta", type: "date", required: false, example: "2027-01-31T08:00:00Z" },
];
const smsText =
  'Hello {{ name }}, your order {{ order }} over {{ total | money: "EUR" }} is on its way{% if eta %} and arrives on {{ eta | date: "long" }}{% endif %}.';
const sms: VersionContent = {
  channel: "sms",
  subject: null,
  body: smsText,
  metadata: {},
  variables,
  compiledBody: null,
};

/** (g) Templates: rendering, previewing and promoting. */
export async function templates(run: Run): Promise<Measure[]> {
  return [...rendering(run), ...(await previews(run)), ...(await promotions(run))];
}

/**
 * Texts per second in this one process, each with values of its own, segments counted; the floor is the bare engine.
 */
function rendering(run: Run): Measure[] {
  const count = run.quick ? 20_000 : 100_000;
  const perSecond = (work: (index: number) => unknown) => {
    for (let index = 0; index < 2_000; index++) work(index);
    const before = performance.now();
    for (let index = 0; index < count; index++) work(index);
    return count / ((performance.now() - before) / 1_000);
  };
  const values = (index: number) => ({
    name: `Customer ${index}`,
    order: `A-${index}`,
    total: `${index % 900}.50`,
    eta: "2027-01-31T08:00:00Z",
  });
  const engine = new Liquid();
  const parsed = engine.parse(
    "Hello {{ name }}, your order {{ order }} over {{ total }} is on its way{% if eta %} and arrives on {{ eta }}{% endif %}.",
  );
  const floor = perSecond((index) => engine.renderSync(parsed, values(index)) as unknown);
  const compiled = compileVersion(sms);
  const product = perSecond((index) => {
    const result = renderCompiled(compiled, values(index), { locale: "en-DE", timezone: "Europe/Berlin" });
    if (!result.ok) throw new Error(result.failure.detail);
    return smsSegments(result.message.text);
  });
  return [
    measure("g", "rendering SMS, one process", product, "messages/s", { at: "least", value: 20_000 }),
    measure("g", "rendering SMS, floor (bare engine)", floor, "messages/s"),
    measure("g", "rendering SMS, ratio to floor", product / floor, ""),
  ];
}

const paragraph =
  '<p style="margin:0 0 16px">Hello {{ name }}, order {{ order }} costs {{ total | money: "EUR" }}.</p>\n';
const texts = {
  sms: { channel: "sms", body: smsText, variables },
  "e-mail of 20 KB": {
    channel: "email",
    subject: "Order {{ order }}",
    body: paragraph.repeat(200),
    variables,
  },
  "e-mail in MJML": {
    channel: "email",
    subject: "Order {{ order }}",
    metadata: { format: "mjml" },
    body: `<mjml><mj-body>${"<mj-section><mj-column><mj-text>Hello {{ name }}, order {{ order }}.</mj-text></mj-column></mj-section>".repeat(10)}</mj-body></mjml>`,
    variables,
  },
} as const;

/**
 * The editor's requests while somebody types: check, render, deterministic moderation, estimate; under row-level
 * security.
 */
async function previews(run: Run): Promise<Measure[]> {
  const url = await run.cluster.createProduct("product_g_preview");
  const web = openDb("web", url, { poolSize: 4 });
  const worker = openDb("worker", url, { poolSize: 2 });
  try {
    const tenant = await makeTenant({ web, worker });
    const ctx = tenant.as("template_author");
    const rounds = run.quick ? 40 : 200;
    const measures: Measure[] = [];
    for (const [name, text] of Object.entries(texts)) {
      const times: number[] = [];
      for (let round = -5; round < rounds; round++) {
        // Each keystroke makes another text.
        const input = templatePreviewInputSchema.parse({
          application: tenant.application.name,
          ...text,
          body: text.body.replace("Hello", `Hello${"!".repeat(Math.abs(round) % 50)}${String(round)}`),
        });
        const before = performance.now();
        const preview = await previewTemplate(ctx, input);
        if (round >= 0) times.push(performance.now() - before);
        if (!preview.message) throw new Error(`no preview of ${name}: ${JSON.stringify(preview.problems)}`);
      }
      const target = { at: "most", value: 50 } as const;
      measures.push(measure("g", `preview, ${name}, p95`, percentile(times, 0.95), "ms", target));
    }
    return measures;
  } finally {
    await web.close();
    await worker.close();
  }
}

/** A promotion of 1,000 templates and its rollback; the floor is one bare statement that moves as many rows. */
async function promotions(run: Run): Promise<Measure[]> {
  const count = 1_000;
  const url = await run.cluster.createProduct("product_g_promote");
  const web = openDb("web", url, { poolSize: 4 });
  const worker = openDb("worker", url, { poolSize: 2 });
  try {
    const tenant = await makeTenant({ web, worker }, { settings: { ai: { allowWithoutAi: true } } });
    const { environments, tenantId } = tenant;
    const ids = Array.from({ length: count }, () => newId());
    await query(
      url,
      `WITH t AS (
         INSERT INTO templates (tenant_id, id, application_id, name, notification_type, notification_subtype, channel, provider, latest_version, updated_at)
         SELECT $1, id, $2, 'bench-' || n, 'order', 'receipt', 'sms', 'p' || n, 2, now()
         FROM unnest($3::uuid[]) WITH ORDINALITY AS u(id, n)),
       v AS (
         INSERT INTO template_versions (tenant_id, template_id, version, body, author_name, moderation)
         SELECT $1, id, version, 'Version ' || version, 'Bench', '{"checkedBy":["deterministic"],"findings":[]}'
         FROM unnest($3::uuid[]) AS id, generate_series(1, 2) AS version)
       INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, deployed_at)
       SELECT $1, id, e.environment, e.version, now() FROM unnest($3::uuid[]) AS id, (VALUES ($4::uuid, 2), ($5::uuid, 1)) AS e(environment, version)`,
      [tenantId, tenant.application.id, ids, environments.staging, environments.production],
    );
    await query(
      url,
      "UPDATE pipeline_stages SET gates = gates || '{\"approvals\": 0}' WHERE tenant_id = $1",
      [tenantId],
    );
    const move = async (version: number) => {
      const before = performance.now();
      await inTenant(
        tenant.system,
        (tx) =>
          tx.$executeRaw`UPDATE template_deployments SET version = ${version} WHERE tenant_id = ${tenantId}::uuid AND environment_id = ${environments.production}::uuid`,
      );
      return (performance.now() - before) / 1_000;
    };
    await move(1);
    const floor = percentile([await move(2), await move(1), await move(2), await move(1)], 0.5);
    const promote: number[] = [];
    const rollBack: number[] = [];
    for (let round = 0; round < 4; round++) {
      const before = performance.now();
      const made = await createPromotion(tenant.as("owner"), {
        application: tenant.application.name,
        to: "production",
        automatic: true,
      });
      const between = performance.now();
      if (made.state !== "deployed" || made.items.length !== count)
        throw new Error(`promotion is ${made.state}`);
      await rollBackPromotion(tenant.as("owner"), { id: made.id, force: false });
      promote.push((between - before) / 1_000);
      rollBack.push((performance.now() - between) / 1_000);
    }
    const target = { at: "most", value: 2 } as const;
    return [
      measure("g", "promotion of 1,000 templates, slowest", Math.max(...promote), "s", target),
      measure("g", "its rollback, slowest", Math.max(...rollBack), "s", target),
      measure("g", "bare UPDATE of 1,000 rows, floor", floor, "s"),
      measure("g", "promotion, ratio to floor", percentile(promote, 0.5) / floor, ""),
    ];
  } finally {
    await web.close();
    await worker.close();
  }
}
