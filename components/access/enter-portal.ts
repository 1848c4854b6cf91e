import { signIn } from "next-auth/react";

/**
 * Signs in somebody who has just been given an account, and leads them into the portal; or to the sign-in page, if that asks for
 * more. With a full load: the server has to see the new session before anything is drawn.
 */
export async function enterPortal(account: {
  organisation: string;
  email: string;
  password: string;
}): Promise<void> {
  const result = await signIn("credentials", { ...account, redirect: false }).catch(() => undefined);
  const slug = encodeURIComponent(account.organisation);
  window.location.assign(result?.ok && !result.error ? `/${slug}/overview` : `/sign-in?organisation=${slug}`);
}
