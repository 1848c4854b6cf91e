import { Fragment, type ReactNode } from "react";

/** Addresses look like links, as on a phone, but lead nowhere: this is a picture of a message. */
export function LinkedText({ text }: { text: string }): ReactNode {
  return text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/g).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="[overflow-wrap:anywhere] text-accent-text underline underline-offset-2">
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
