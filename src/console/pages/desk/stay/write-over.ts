import { ApiError, type Resource } from '../../lib/server/api.ts'

/** Another person has changed the same fields since a resource was shown. */
export class ChangedMeanwhile<A> extends Error {
  readonly fields: readonly (keyof A & string)[]
  readonly fresh: Resource<A>
  constructor(fields: readonly (keyof A & string)[], fresh: Resource<A>) {
    super('It has changed meanwhile.')
    this.fields = fields
    this.fresh = fresh
  }
}

/** How a kind of resource is written and compared. */
interface Written<A> {
  /** Writes the change, if the resource still has the revision of the given one. */
  write: (over: Resource<A>) => Promise<unknown>
  /** Reads the resource again. */
  read: () => Promise<Resource<A>>
  /** Returns a field as a text, to compare values. */
  textOf: (name: keyof A & string, of: Resource<A>) => string
}

/**
 * Writes some fields of a resource as a person has seen it. Fields that another person has changed since keep the other's values.
 * Throws ChangedMeanwhile if those are the same fields, and ApiError.
 */
export async function writeOver<A>(
  shown: Resource<A>,
  names: readonly (keyof A & string)[],
  { write, read, textOf }: Written<A>,
): Promise<void> {
  try {
    await write(shown)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error
    const fresh = await read()
    const touched = names.filter((name) => textOf(name, fresh) !== textOf(name, shown))
    if (touched.length > 0) throw new ChangedMeanwhile(touched, fresh)
    await write(fresh)
  }
}
