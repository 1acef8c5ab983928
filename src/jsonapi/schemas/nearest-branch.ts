/**
 * An error of the schema validator: the place in the value, the place in the schema, and the violated
 * keyword.
 */
interface SchemaError {
  keyword: string
  schemaPath: string
  instancePath: string
  params: { type?: string | string[] }
}

/**
 * Reduces the errors of a value that matches none of several branches to those of the branch with the fewest
 * errors. The validator reports the errors of every branch; those of the other branches would only mislead.
 */
export function ofNearestBranch<E extends SchemaError>(errors: readonly E[]): E[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
  // The validator reports inner choices before outer ones.
  return choices.reduce((left, choice) => withoutOthers(left, choice), [...errors])
}

function withoutOthers<E extends SchemaError>(errors: E[], choice: E): E[] {
  const branches = Map.groupBy(
    errors.filter((error) => branchIn(choice, error) !== null),
    (error) => branchIn(choice, error)!,
  )
  // More than one branch matches, and only the choice itself has an error.
  if (branches.size === 0) return errors
  const all = [...branches.values()]
  const [nearest = []] = all.toSorted((a, b) => distance(choice, a) - distance(choice, b))
  const kept = isOfType(choice, nearest) ? nearest : [anyType(choice, all)]
  const others = new Set([choice, ...all.flat()])
  return errors.flatMap((error) => (error === choice ? kept : others.has(error) ? [] : [error]))
}

/** Returns the branch that contains the error; null when it is not in this choice. */
function branchIn({ schemaPath, instancePath }: SchemaError, error: SchemaError): string | null {
  const inside = error.schemaPath.startsWith(`${schemaPath}/`)
  const below = error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`)
  return inside && below ? error.schemaPath.slice(schemaPath.length + 1).split('/')[0]! : null
}

/** A wrong type counts more than any number of other errors. */
function distance(choice: SchemaError, errors: SchemaError[]): number {
  return errors.length + (isOfType(choice, errors) ? 0 : 1_000)
}

function isOfType({ instancePath }: SchemaError, errors: SchemaError[]): boolean {
  return !errors.some((error) => error.keyword === 'type' && error.instancePath === instancePath)
}

/** No branch accepts the type of the value; the error lists all accepted types. */
function anyType<E extends SchemaError>(choice: E, branches: E[][]): E {
  const types = branches
    .flat()
    .flatMap(({ keyword, params }) => (keyword === 'type' ? [params.type ?? []] : []))
  return { ...choice, keyword: 'type', params: { type: [...new Set(types.flat())] } }
}
