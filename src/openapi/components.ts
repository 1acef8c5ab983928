import type { JsonSchema } from '../resource/field.ts'

export type Reference = { $ref: string }
type Section = 'schemas' | 'responses' | 'parameters' | 'headers'

/** The components that several operations share, each written once under its name. */
export interface Components {
  /** Returns a reference to the component with this name. `make` is called the first time. */
  share(section: Section, name: string, make: () => JsonSchema): Reference
  all(): Record<Section, Record<string, JsonSchema>>
}

/** Collects the parts of an OpenAPI document that several operations share. */
export function components(): Components {
  const kept: Record<Section, Record<string, JsonSchema>> = {
    schemas: {},
    responses: {},
    parameters: {},
    headers: {},
  }
  return {
    share(section, name, make) {
      const among = kept[section]
      if (!Object.hasOwn(among, name)) {
        // Registered before it is made, because a schema may refer to itself.
        among[name] = {}
        among[name] = make()
      }
      return { $ref: `#/components/${section}/${name}` }
    },
    all: () => kept,
  }
}
