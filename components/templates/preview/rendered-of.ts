import type { Rendered } from "../../messages/rendered-message.tsx";
import type { Preview } from "./use-draft-preview.ts";

/** A previewed message for the frames. Without a sender of its own a template uses the connection's. */
export function renderedOf(message: NonNullable<Preview["message"]>): Rendered {
  return {
    ...message,
    from: message.senderId,
    fromName: message.senderName,
  };
}
