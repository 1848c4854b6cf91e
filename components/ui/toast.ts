// eslint-disable-next-line no-restricted-imports -- only its types.
import type { ExternalToast, toast as sonner } from "sonner";
import { isolated } from "./isolated.ts";

/*
 * What says in a corner what happened. The library comes with the first touch of the page (or the first thing to say), not with the
 * page: nobody needs it before.
 */

type Kind = "success" | "error" | "info" | "warning";

const mounted = Promise.withResolvers<typeof sonner>();
const listeners = new Set<() => void>();
let isWanted = false;

/** From now on the toaster is on the page, or on its way. */
export function wantToaster(): void {
  if (isWanted) return;
  isWanted = true;
  listeners.forEach((listener) => listener());
}

/** For the toaster: whether it is wanted. */
export const toasterWanted = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  now: () => isWanted,
  onServer: () => false,
};

/** For the toaster, once it listens. */
export const toasterListens = (show: typeof sonner): void => mounted.resolve(show);

const say =
  (kind: Kind) =>
  (title: string, more?: ExternalToast): void => {
    wantToaster();
    const said = more?.description ? { ...more, description: isolated(more.description) } : more;
    void mounted.promise.then((show) => show[kind](isolated(title), said));
  };

export const toast = {
  success: say("success"),
  error: say("error"),
  info: say("info"),
  warning: say("warning"),
};
