import type { Resource } from '../resource/resource.ts'

/** The row number and the revision of a row. */
export type RowVersion = readonly [rid: number, revision: number]

/** The largest number of cached entries. */
const mostPlaces = 4_000
const noMore = -1

type Remembered = [rid: number, revision: number]

export type Places = ReturnType<typeof rowVersions>

/**
 * Caches row number and revision by id. Emptied with each command, the cache would make a create 9 % slower,
 * and also a change of a stay: each command looks up people, types and plans. Only the writing connection may
 * use this cache. It must call `moved` when a row gets its next revision, `gone` when a row is deleted, and
 * `forget` after a rollback.
 */
export function rowVersions() {
  const byId = new Map<Resource, Map<string, Remembered>>()
  const byRid = new Map<Resource, Map<number, Remembered>>()
  let size = 0

  function known(resource: Resource, id: string): RowVersion | null {
    const place = byId.get(resource)?.get(id)
    return place && place[1] !== noMore ? place : null
  }

  function keep(resource: Resource, id: string, [rid, revision]: RowVersion): void {
    if (++size > mostPlaces) forget()
    const places = byRid.getOrInsertComputed(resource, () => new Map())
    // The same id may be written in several ways.
    const place = places.getOrInsert(rid, [rid, revision])
    byId.getOrInsertComputed(resource, () => new Map()).set(id, place)
  }

  function moved(resource: Resource, rid: number): void {
    const place = byRid.get(resource)?.get(rid)
    if (place) place[1]++
  }

  function gone(resource: Resource, rid: number): void {
    const place = byRid.get(resource)?.get(rid)
    if (place) place[1] = noMore
  }

  function forget(): void {
    byId.clear()
    byRid.clear()
    size = 0
  }

  return { known, keep, moved, gone, forget }
}
