import { notFound } from "next/navigation";

/** An address where nothing is says so within the frame of the portal. */
export default function Nothing(): never {
  notFound();
}
