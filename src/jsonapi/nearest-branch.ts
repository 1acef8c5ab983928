/** An error as the validator tells it: where in the value, by which place of the schema, and what of it does not hold. */
interface SchemaError {
  keyword: string
  schemaPath: string
  instancePath: string
  params: { type?: string | string[] }
}

/**
 * What is wrong with a value that may have one of several forms, told of the form it comes nearest to. A schema's errors are
 * of all its branches; those of the others would ask for what the value was never meant to be.
 */
export function ofNearestBranch<E extends SchemaError>(errors: readonly E[]): E[] {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
  // Inner choices come before those they stand in.
  return choices.reduce((left, choice) => withoutOthers(left, choice), [...errors])
}

function withoutOthers<E extends SchemaError>(errors: E[], choice: E): E[] {
  const branches = Map.groupBy(
    errors.filter((error) => branchIn(choice, error) !== null),
    (error) => branchIn(choice, error)!,
  )
  // More than one form fits: only the choice itself says so.
  if (branches.size === 0) return errors
  const all = [...branches.values()]
  const [nearest = []] = all.toSorted((a, b) => distance(choice, a) - distance(choice, b))
  const kept = isOfType(choice, nearest) ? nearest : [anyType(choice, all)]
  const others = new Set([choice, ...all.flat()])
  return errors.flatMap((error) => (error === choice ? kept : others.has(error) ? [] : [error]))
}

/** The number of the branch an error is of; null when it is of none of this choice. */
function branchIn({ schemaPath, instancePath }: SchemaError, error: SchemaError): string | null {
  const inside = error.schemaPath.startsWith(`${schemaPath}/`)
  const below = error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`)
  return inside && below ? error.schemaPath.slice(schemaPath.length + 1).split('/')[0]! : null
}

/** A value of another type is further away than one with any number of faults. */
function distance(choice: SchemaError, errors: SchemaError[]): number {
  return errors.length + (isOfType(choice, errors) ? 0 : 1_000)
}

function isOfType({ instancePath }: SchemaError, errors: SchemaError[]): boolean {
  return !errors.some((error) => error.keyword === 'type' && error.instancePath === instancePath)
}

/** No form is of the value's type: all types that would do. */
function anyType<E extends SchemaError>(choice: E, branches: E[][]): E {
  const types = branches
    .flat()
    .flatMap(({ keyword, params }) => (keyword === 'type' ? [params.type ?? []] : []))
  return { ...choice, keyword: 'type', params: { type: [...new Set(types.flat())] } }
}
