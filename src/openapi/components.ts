import type { JsonSchema } from '../resource/fields.ts'

export type Reference = { $ref: string }
type Section = 'schemas' | 'responses' | 'parameters' | 'headers'

/** What several operations share, each under a name that is written down once. */
export interface Components {
  /** A reference to what has this name; `make` is asked for it the first time. */
  share(section: Section, name: string, make: () => JsonSchema): Reference
  all(): Record<Section, Record<string, JsonSchema>>
}

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
        // Before it is made: what it is made of may refer to it.
        among[name] = {}
        among[name] = make()
      }
      return { $ref: `#/components/${section}/${name}` }
    },
    all: () => kept,
  }
}
