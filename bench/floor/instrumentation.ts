/** Next would otherwise take the product's instrumentation from the root above: the floor has none. */
export function register(): void {
  // Nothing is started.
}
