/**
 * The values of an object that its JSON Schema has accepted, with the schema's defaults for those that are absent. Values
 * that the schema does not name are left out. `Values` is what the schema promises.
 */
export function withDefaults<Values>(
  { properties }: { properties: Readonly<Record<string, object>> },
  entered: object,
): Values {
  const given = new Map(Object.entries(entered))
  const values = Object.entries(properties).map(([name, row]) => [
    name,
    given.get(name) ?? ('default' in row ? row.default : undefined),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
