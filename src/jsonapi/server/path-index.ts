import Router from '@koa/router'
import type { Route } from '../route.ts'
import {
  idListsOf,
  type KnownPath,
  knownPaths,
  type Nearest,
  nearestOf,
  templateOf,
} from './nearest-paths.ts'

/** What the appliance has at the path of a request. */
interface FoundPath<Operation> {
  /** The operation of the request's method; undefined when the path has none. */
  operation: Operation | undefined
  /** The parameters in the path, percent-decoded, in Unicode normal form C as texts are stored. */
  params: Record<string, string>
  /** The methods of the path, HEAD before GET. */
  methods: string[]
}

/** All paths of the appliance. */
export interface PathIndex<Operation> {
  /** Null for a path that the appliance does not have. A slash at the end is ignored, and so is the case of words. */
  find(path: string, method: string): FoundPath<Operation> | null
  /** Returns the paths that a request with an unknown path may have meant. */
  nearest(path: string, method: string): Nearest
  /** Returns the lists of the ids in the path of a route. */
  idLists(route: Route): string[]
}

/** An operation, with the names of the parameters in its path. */
interface Named<Operation> {
  operation: Operation
  names: string[]
}

/** The paths of one collection. */
interface Collection<Operation> {
  router: Router
  /** The operations of each layer of the router, by method. */
  places: Map<unknown, Map<string, Named<Operation>>>
}

/** Indexes the paths of operations. Of two with the same path and method, the first counts. */
export function pathIndex<Operation extends { route: Route }>(
  operations: readonly Operation[],
): PathIndex<Operation> {
  // A router tests its routes one after another, so each collection has a router of its own. It is built with the first
  // request to the collection: all of them together would take 10 ms of each start.
  const operationsOf = Map.groupBy(operations, ({ route }) => collectionOf(pathOf(route)))
  const collections = new Map<string, Collection<Operation>>()
  let known: KnownPath[] | null = null
  const allKnown = () => (known ??= knownPaths(operations.map(({ route }) => route)))
  return {
    find(path, method) {
      const name = collectionOf(path)
      const own = operationsOf.get(name)
      if (!own) return null
      const { router, places } = collections.getOrInsertComputed(name, () => collectionWith(own))
      const layer = router.match(path, method).path[0]
      const place = places.get(layer)
      if (!layer || !place) return null
      const { operation, names = [] } = place.get(method) ?? {}
      const values = Object.values(layer.params(path, layer.captures(path)))
      const params: Record<string, string> = {}
      for (const [index, name] of names.entries()) params[name] = values[index]!.normalize('NFC')
      return { operation, params, methods: [...place.keys()] }
    },
    nearest: (path, method) => nearestOf(allKnown(), path, method),
    idLists: (route) => idListsOf(allKnown(), templateOf(route)),
  }
}

function collectionWith<Operation extends { route: Route }>(
  operations: readonly Operation[],
): Collection<Operation> {
  const router = new Router()
  const places: Collection<Operation>['places'] = new Map()
  for (const same of byForm(operations)) {
    const byMethod = operationsByMethod(same)
    places.set(router.register(pathOf(same[0]!.route), [...byMethod.keys()], ignore), byMethod)
  }
  return { router, places }
}

/** The routers find operations, and run none. */
function ignore(): void {}

/**
 * Returns the operations with paths of the same form together. Those with fewer parameters come first:
 * `dispensers/reset-all-cache` is no id of a dispenser.
 */
function byForm<Operation extends { route: Route }>(operations: readonly Operation[]): Operation[][] {
  const forms = Map.groupBy(operations, ({ route }) => pathOf(route).replace(/:\w+/g, ':'))
  const parametersIn = (form: string) => form.split(':').length
  return [...forms].sort(([a], [b]) => parametersIn(a) - parametersIn(b)).map(([, same]) => same)
}

function operationsByMethod<Operation extends { route: Route }>(
  operations: readonly Operation[],
): Map<string, Named<Operation>> {
  const found = new Map<string, Named<Operation>>()
  for (const operation of operations) {
    const { method, path } = operation.route
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const methods = method === 'GET' ? ['HEAD', 'GET'] : [method]
    for (const each of methods) found.getOrInsert(each, { operation, names })
  }
  return found
}

/** The path of a route, with its base. */
export function pathOf({ base, path }: Route): string {
  return `${base}/${path}`
}

/** Returns the base and the first segment below it in lower case: `/api/v2/units` for `/api/v2/Units/1`. */
export function collectionOf(path: string): string {
  return /^(?:\/api\/(?:v2|config\/v1))?\/[^/]*/i.exec(path)?.[0].toLowerCase() ?? ''
}
