import superjson from "superjson";

/** Most calls that go into one request; the service takes no more. */
export const maxBatchSize = 20;

/**
 * What travels between the portal and the service: JSON, with dates and `undefined` noted beside it. That a value stands
 * twice is not said: both copies are sent in full, and the service takes nothing else.
 */
export const transformer = {
  serialize: (value: unknown) => {
    const { json, meta } = superjson.serialize(value);
    return meta?.values ? { json, meta: { values: meta.values, v: meta.v } } : { json };
  },
  deserialize: superjson.deserialize,
};
