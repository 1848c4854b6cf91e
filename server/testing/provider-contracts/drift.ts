/** JSON Schema, as far as descriptions of providers use it. */
export type Schema = {
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
};

/**
 * Where our facts about a body are not those of the provider's description: members that it does not have, members that it
 * requires and ours do not, values that it does not allow. Of alternatives, all members count, and what each of them requires.
 */
export function driftBetween(ours: Schema, official: Schema, path = ""): string[] {
  const [mine, theirs] = [alternativesOf(ours), alternativesOf(official)];
  const [items, described] = [mine, theirs].map((shapes) => shapes.flatMap((shape) => shape.items ?? []));
  if (items?.length && described?.length)
    return driftBetween({ anyOf: items }, { anyOf: described }, `${path}[]`);

  const allowed = valuesOf(theirs);
  const values = (valuesOf(mine) ?? []).filter((value) => allowed?.includes(value) === false);
  const [known, full] = [membersOf(mine), membersOf(theirs)];
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const required = [...full].filter(([name, member]) => member.required && !known.get(name)?.required);
  // A description without members leaves them open.
  const members = full.size === 0 ? [] : [...known];
  return [
    ...values.map((value) => `${path}=${value} is not described`),
    ...(known.size === 0 ? [] : required.map(([name]) => `${at(name)} is required`)),
    ...members.flatMap(([name, { schema }]) => {
      const member = full.get(name);
      return member ? driftBetween(schema, member.schema, at(name)) : [`${at(name)} is not described`];
    }),
  ];
}

/** Absent when any value is allowed. */
function valuesOf(shapes: Schema[]): string[] | undefined {
  const values = shapes.map((shape) => (shape.const === undefined ? shape.enum : [shape.const]));
  return values.every((some) => some !== undefined) ? [...new Set(values.flat().map(String))] : undefined;
}

function membersOf(shapes: Schema[]): Map<string, { required: boolean; schema: Schema }> {
  const objects = shapes.filter(({ properties }) => properties !== undefined);
  const names = new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})));
  return new Map(
    [...names].map((name) => [
      name,
      {
        required: objects.every(({ required }) => required?.includes(name)),
        schema: { anyOf: objects.flatMap(({ properties }) => properties?.[name] ?? []) },
      },
    ]),
  );
}

/** The schemas without allOf, oneOf and anyOf of which a value fits one. */
function alternativesOf({ allOf = [], oneOf, anyOf, ...own }: Schema): Schema[] {
  const choices = [oneOf, anyOf].flatMap((any) => (any ? [any.flatMap(alternativesOf)] : []));
  return [...allOf.map(alternativesOf), ...choices].reduce<Schema[]>(
    (shapes, group) => shapes.flatMap((shape) => group.map((other) => merged(shape, other))),
    [own],
  );
}

function merged(one: Schema, other: Schema): Schema {
  const properties = { ...one.properties, ...other.properties };
  for (const [name, schema] of Object.entries(one.properties ?? {})) {
    const also = other.properties?.[name];
    if (also) properties[name] = { allOf: [schema, also] };
  }
  return {
    ...one,
    ...other,
    ...((one.properties ?? other.properties) ? { properties } : {}),
    required: [...(one.required ?? []), ...(other.required ?? [])],
  };
}
