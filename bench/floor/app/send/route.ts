import pg from "pg";

export const dynamic = "force-dynamic";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 12 });

/** The minimum of accepting a message: one row and one job, committed together, then the answer. */
export async function POST(request: Request): Promise<Response> {
  const body = (await request.json()) as { recipients?: { recipient: string }[] };
  const recipient = body.recipients?.[0]?.recipient;
  if (recipient === undefined) return new Response(null, { status: 400 });
  const id = crypto.randomUUID();
  await pool.query({
    name: "accept",
    text: `WITH inserted AS (
             INSERT INTO messages (id, recipient, body, status) VALUES ($1, $2, $3, 'queued') RETURNING id)
           SELECT graphile_worker.add_job('deliver', json_build_object('id', id)) FROM inserted`,
    values: [id, recipient, body],
  });
  return Response.json({ id }, { status: 202 });
}
