/** Where somebody goes after signing in: an address of this site, as the browser itself would read it; else its start. */
export function safeTarget(target: string | undefined): string {
  // No host can have this name, so what leads anywhere else leads away from it.
  const here = "http://this.invalid";
  if (!target?.startsWith("/") || !URL.canParse(target, here)) return "/";
  const { origin, pathname, search, hash } = new URL(target, here);
  // Two slashes at the beginning would name a host when this is read again.
  return origin === here && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : "/";
}
