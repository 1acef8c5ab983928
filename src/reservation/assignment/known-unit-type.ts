import type { Route } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import { unit } from '../resources/unit.ts'

/**
 * The route; one that writes a single unit answers 404 `not-found` for a unit type that is not there, and not the 422
 * that a wrong id in a body is elsewhere.
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
