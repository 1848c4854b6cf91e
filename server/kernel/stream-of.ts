import type { Ctx } from "./ctx.ts";
import { logger } from "./log.ts";

/** The pieces of a file as the body of an answer: reads on when the browser has taken what there was, and stops when it goes away. */
export function streamOf(
  ctx: Ctx,
  what: string,
  { first, rest }: { first: string; rest: AsyncGenerator<string | Uint8Array> },
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
          else
            controller.enqueue(typeof piece.value === "string" ? encoder.encode(piece.value) : piece.value);
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
