import type { Resource } from '../resource/resource.ts'

/** Memoizes `work` for each resource: declarations never change. */
export function perResource<Result>(work: (resource: Resource) => Result): (resource: Resource) => Result {
  const known = new WeakMap<Resource, Result>()
  return (resource) => {
    if (!known.has(resource)) known.set(resource, work(resource))
    return known.get(resource)!
  }
}
