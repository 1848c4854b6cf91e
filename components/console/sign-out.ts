import { toast } from "../ui/toast.ts";
import { postForm } from "../onboarding/post-form.ts";

/** Ends the operator's session. */
export async function signOutOfConsole(): Promise<void> {
  const answer = await postForm("/console/api/sign-out", {});
  if ("done" in answer) window.location.assign("/console/sign-in");
  else toast.error(answer.refused.detail);
}
