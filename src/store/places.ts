import type { Resource } from '../resource/resource.ts'

/** Where a row stands, and which revision it has. */
export type Place = readonly [rid: number, revision: number]

/** Places that are remembered at once. */
const mostPlaces = 4_000
const noMore = -1

type Remembered = [rid: number, revision: number]

export type Places = ReturnType<typeof rememberedPlaces>

/**
 * Where rows stand that have been looked up by their ids. Emptied with each change, it would make a create 9 % longer, and a change
 * of a stay too: people, types and plans are looked up in each. Only the one connection that writes can know it from one question
 * to the next: it has to say of each row that it has `moved` to its next revision or is `gone`, and to `forget` all when
 * something was rolled back.
 */
export function rememberedPlaces() {
  const byId = new Map<Resource, Map<string, Remembered>>()
  const byRid = new Map<Resource, Map<number, Remembered>>()
  let size = 0

  function known(resource: Resource, id: string): Place | null {
    const place = byId.get(resource)?.get(id)
    return place && place[1] !== noMore ? place : null
  }

  function keep(resource: Resource, id: string, [rid, revision]: Place): void {
    if (++size > mostPlaces) forget()
    const places = byRid.getOrInsertComputed(resource, () => new Map())
    // An id may be written in more than one way.
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
