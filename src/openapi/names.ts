import type { Route } from '../jsonapi/route.ts'

/**
 * Returns the path of a route in OpenAPI's form. A plain `:id` is named after its collection: `{unitTypeId}`.
 */
export function templateOf({ base, path }: Pick<Route, 'base' | 'path'>): string {
  const segments = path.split('/').map((segment, index, all) => {
    if (!segment.startsWith(':')) return segment
    const name = segment.slice(1)
    return `{${name === 'id' ? `${camel(singular(all[index - 1] ?? ''))}Id` : name}}`
  })
  return `${base}/${segments.join('/')}`
}

/** Returns the parameter names of a path template, in order. */
export function parametersOf(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

const verbs = { GET: 'read', POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' }

/** Returns the operationId. By default it is derived from method and path, so it is as stable as they are. */
export function operationIdOf({ method, path, description }: Route): string {
  const { id, answers } = description
  if (id) return camel(id)
  const isList = Object.values(answers).some((answer) => 'list' in answer)
  const segments = path.split('/').filter((segment) => !segment.startsWith(':'))
  const words = segments.map((segment, index) =>
    isList && index === segments.length - 1 ? segment : singular(segment),
  )
  return camel([isList ? 'list' : verbs[method], ...words].join('-'))
}

/** Converts `unit-type` to the component name `UnitType`. */
export function pascal(words: string): string {
  return words
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function camel(words: string): string {
  const name = pascal(words)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Returns the singular of a collection's name: `property` for `properties`. */
function singular(plural: string): string {
  if (plural.endsWith('ies')) return plural.replace(/ies$/, 'y')
  return /(ss|us|settings)$/.test(plural) ? plural : plural.replace(/s$/, '')
}
