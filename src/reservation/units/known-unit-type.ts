import type { Route } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import { unit } from '../resources/unit.ts'

/**
 * Returns the route. If the route writes a single unit, an unknown unit type answers 404 `not-found` instead of the 422
 * `reference-unknown` that other routes answer for an unknown id in a body.
 */
export function withKnownUnitType(route: Route): Route {
  const { method, path, handle, description } = route
  const writesOne = ['POST', 'PUT', 'PATCH'].includes(method) && path.split('/')[0] === unit.path
  if (!writesOne) return route
  return {
    ...route,
    description: { ...description, problems: [...(description.problems ?? []), 'not-found'] },
    handle: async (request) => {
      try {
        return await handle(request)
      } catch (error) {
        const isMissing = error instanceof Problem && error.code === 'reference-unknown'
        if (!isMissing || error.options.pointer !== '/unitTypeId') throw error
        throw new Problem('not-found', error.message, error.options)
      }
    },
  }
}
