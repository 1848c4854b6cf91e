import type { Db } from "./db.ts";

/**
 * One thing for each Db, made when it is first asked for. There is one of a `name`, on globalThis because Next loads a module once
 * per bundle.
 */
export function perDb<Thing extends object>(name: string, make: (db: Db) => Thing): (db: Db) => Thing {
  const key = Symbol.for(`tidings.${name}`);
  const shared = globalThis as unknown as Record<symbol, WeakMap<Db, Thing> | undefined>;
  return (db) => {
    const things = (shared[key] ??= new WeakMap());
    let thing = things.get(db);
    if (!thing) things.set(db, (thing = make(db)));
    return thing;
  };
}
