import { notFound } from "next/navigation";

/** Without it an unknown address below /console would be taken for a page of an organisation. */
export default function Nothing(): never {
  notFound();
}
