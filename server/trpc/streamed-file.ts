import type { Ctx } from "../kernel/ctx.ts";
import { logger } from "../kernel/log.ts";

/** The pieces of a file as the body of an answer: reads on when the browser has taken what there was, and stops when it goes away. */
export function streamOf(
  ctx: Ctx,
  what: string,
  { first, rest }: { first: string; rest: AsyncGenerator<string> },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      start: (controller) => {
        controller.enqueue(encoder.encode(first));
      },
      pull: async (controller) => {
        try {
          const piece = await rest.next();
          if (piece.done) controller.close();
          else controller.enqueue(encoder.encode(piece.value));
        } catch (error) {
          // The file ends in the middle: a connection that breaks is what a browser shows as a failed download.
          logger().error({ err: error, tenantId: ctx.tenantId }, `${what} failed`);
          controller.error(error);
        }
      },
      cancel: async () => {
        await rest.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}

/** What somebody who follows a link to a file reads instead of it. */
export const plainRefusal = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });

/** Whether a download was asked for by another site's page, by what browsers say of it. */
export function fromElsewhere(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}
