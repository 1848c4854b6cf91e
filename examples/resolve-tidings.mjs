/**
 * Lets the examples import "tidings" from the checkout that they are in, without an installation:
 * `node --import ./examples/resolve-tidings.mjs examples/one-time-codes/main.ts`. In a project of your own, install the package
 * instead.
 */
import { registerHooks } from "node:module";

const library = new URL("../packages/sdk-ts/src/index.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "tidings" ? { url: library, shortCircuit: true } : next(specifier, context),
});
