/** Ends the session and leads to the sign-in page. What does it comes when it is asked for. */
export async function signOut(): Promise<void> {
  const { signOut: end } = await import("next-auth/react");
  await end({ callbackUrl: "/sign-in" });
}
