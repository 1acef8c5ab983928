import Router from '@koa/router'
import { idListsOf, knownPaths, type Nearest, nearestOf, templateOf } from './nearest-paths.ts'
import type { Route } from './route.ts'

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

/** Indexes the paths of operations. Of two with the same path and method, the first counts. */
export function pathIndex<Operation extends { route: Route }>(
  operations: readonly Operation[],
): PathIndex<Operation> {
  const routers = new Map<string, Router>()
  const operationsOf = new Map<unknown, { operation: Operation; template: string }>()
  // Words are tried before parameters: `dispensers/reset-all-cache` is no id of a dispenser.
  for (const operation of operations.toSorted((a, b) => parametersIn(a) - parametersIn(b))) {
    const path = pathOf(operation.route)
    const router = routers.getOrInsertComputed(groupOf(path), () => new Router())
    const layer = router.register(path, [operation.route.method], () => {})
    operationsOf.set(layer, { operation, template: path.replace(/:\w+/g, ':') })
  }
  const known = knownPaths(operations.map(({ route }) => route))
  return {
    find(path, method) {
      const layers = routers.get(groupOf(path))?.match(path, method).path ?? []
      if (layers.length === 0) return null
      const templateOfLayer = (layer: unknown) => operationsOf.get(layer)?.template
      const same = layers.filter((layer) => templateOfLayer(layer) === templateOfLayer(layers[0]))
      const layer = same.find(({ methods }) => methods.includes(method))
      return {
        operation: operationsOf.get(layer)?.operation,
        params: layer ? inNormalForm(layer.params(path, layer.captures(path))) : {},
        methods: [...new Set(same.flatMap(({ methods }) => methods))],
      }
    },
    nearest: (path, method) => nearestOf(known, path, method),
    idLists: (route) => idListsOf(known, templateOf(route)),
  }
}

/** A router tests its routes one after another, so each collection has one for each number of segments. */
function groupOf(path: string): string {
  const segments = path.toLowerCase().split('/')
  if (segments.at(-1) === '') segments.pop()
  return `${collectionOf(path).toLowerCase()} ${segments.length}`
}

function parametersIn({ route }: { route: Route }): number {
  return route.path.split(':').length
}

function inNormalForm(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) params[name] = value.normalize('NFC')
  return params
}

/** The path of a route, with its base. */
export function pathOf({ base, path }: Route): string {
  return `${base}/${path}`
}

/** Returns the base and the first segment below it: `/api/v2/units` for `/api/v2/units/1`. */
export function collectionOf(path: string): string {
  return /^(?:\/api\/(?:v2|config\/v1))?\/[^/]*/i.exec(path)?.[0] ?? ''
}
