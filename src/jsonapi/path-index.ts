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

/** Where segments of a path lead to. Words are tried before the parameter. */
interface Place<Operation> {
  words: Map<string, Place<Operation>>
  parameter: Place<Operation> | null
  /** By method. */
  operations: Map<string, Named<Operation>>
}

/** An operation, with the names of the parameters in its path and the positions of their segments. */
interface Named<Operation> {
  operation: Operation
  parameters: { name: string; position: number }[]
}

/** All paths of the appliance. */
interface PathIndex<Operation> {
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
  const root = newPlace<Operation>()
  for (const operation of operations) add(root, operation)
  const known = knownPaths(operations.map(({ route }) => route))
  return {
    find(path, method) {
      const segments = segmentsOf(path)
      const place = placeAt(root, segments, 0)
      if (!place) return null
      const found = place.operations.get(method)
      const params: Record<string, string> = {}
      for (const { name, position } of found?.parameters ?? []) params[name] = decoded(segments[position]!)
      return { operation: found?.operation, params, methods: [...place.operations.keys()] }
    },
    nearest: (path, method) => nearestOf(known, path, method),
    idLists: (route) => idListsOf(known, templateOf(route)),
  }
}

function newPlace<Operation>(): Place<Operation> {
  return { words: new Map(), parameter: null, operations: new Map() }
}

function add<Operation extends { route: Route }>(root: Place<Operation>, operation: Operation): void {
  const { base, path, method } = operation.route
  const parameters: Named<Operation>['parameters'] = []
  let place = root
  for (const [position, segment] of segmentsOf(`${base}/${path}`).entries()) {
    if (segment.startsWith(':')) {
      parameters.push({ name: segment.slice(1), position })
      place.parameter ??= newPlace()
      place = place.parameter
    } else place = place.words.getOrInsertComputed(segment.toLowerCase(), newPlace<Operation>)
  }
  const methods = method === 'GET' ? ['HEAD', 'GET'] : [method]
  for (const each of methods) place.operations.getOrInsert(each, { operation, parameters })
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/')
  if (segments.at(-1) === '') segments.pop()
  return segments
}

function placeAt<Operation>(
  place: Place<Operation>,
  segments: readonly string[],
  depth: number,
): Place<Operation> | null {
  const segment = segments[depth]
  if (segment === undefined) return place.operations.size > 0 ? place : null
  const word = place.words.get(segment) ?? place.words.get(segment.toLowerCase())
  const found = word ? placeAt(word, segments, depth + 1) : null
  if (found || !place.parameter || segment === '') return found
  return placeAt(place.parameter, segments, depth + 1)
}

/** A segment that is not percent-encoded correctly stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).normalize('NFC')
  } catch {
    return segment.normalize('NFC')
  }
}
