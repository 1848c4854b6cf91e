/** What somebody who follows a link to a file reads instead of it. */
export const plainRefusal = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });

/** Whether a download was asked for by another site's page, by what browsers say of it. */
export function fromElsewhere(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}
