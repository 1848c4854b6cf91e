import { AiError } from "./ai-error.ts";

/** A signal that fires when the caller gives up or the time is over; its reason is an AiError that says which. */
export function deadline(
  caller: AbortSignal | undefined,
  milliseconds: number,
): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(new AiError("aborted", { mayBeBilled: true }));
  const timer = setTimeout(
    () => controller.abort(new AiError("timeout", { mayBeBilled: true })),
    milliseconds,
  );
  if (caller?.aborted) giveUp();
  else caller?.addEventListener("abort", giveUp, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", giveUp);
    },
  };
}
