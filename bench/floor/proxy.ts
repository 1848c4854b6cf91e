/** Next would otherwise take the product's proxy from the root above: the floor has none. */
export function proxy(): void {
  // Never called.
}

export const config = { matcher: "/never" };
