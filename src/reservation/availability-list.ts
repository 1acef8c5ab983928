import type { Asked } from '../jsonapi/query.ts'
import type { Answer, Request } from '../jsonapi/route.ts'
import { listAnswer, type Speaking } from '../jsonapi/speaker.ts'
import type { Document } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Query, SortKey } from '../resource/query.ts'
import { type Resource, relationshipName } from '../resource/resource.ts'
import type { Shape } from '../resource/shape.ts'
import type { Period } from './availability.ts'

/** A period with the id of the unit or unit type that it is worked out for. */
export interface Worked extends Period {
  of: string
}

/** Periods that are kept nowhere, as the resource they are spoken as. */
interface WorkedList {
  resource: Resource
  /** The field of it that points at what the periods are of, and what that is. */
  by: string
  target: Resource
  all: readonly Worked[]
}

/**
 * A page of what was worked out, spoken as every other list is. It is in the order of what the periods are of and of
 * their dates; a cursor is a place in that order, whatever has become of the period that was there.
 */
export function workedAnswer(
  speaking: Speaking,
  list: WorkedList,
  asked: Asked,
  request: Request,
): Promise<Answer> {
  expectSortable(list, asked.query.sort)
  const { reader } = speaking
  const { resource, target } = list
  const chosen = asked.fields.get(resource.type)
  const page = (of: Resource, query: Query, shape: Shape) => {
    if (of !== resource) return reader.page(of, query, shape)
    expectCursor(query, (after) => {
      const first = { filters: [], sort: [], page: { size: 1, after } }
      reader.page(target, first, speaking.speaker.shape(target))
    })
    const { found, more } = pageOf(list, query)
    return { documents: found.map((each) => documentOf(list, each, chosen)), more }
  }
  const related: typeof reader.related = (of, ids, name) =>
    of === resource
      ? { resource: target, ids: [...new Set(ids.map(ofCursor))] }
      : reader.related(of, ids, name)
  return listAnswer({ ...speaking, reader: { ...reader, page, related } }, resource, asked, request)
}

function pageOf(list: WorkedList, { sort, page }: Query): { found: Worked[]; more: boolean } {
  const order = orderBy(list, sort)
  const all = list.all.toSorted(order)
  const { after, before, size } = page
  const cursor = after ?? before
  if (cursor === undefined) return { found: all.slice(0, size), more: all.length > size }
  const place = placeOf(list, cursor)
  const beyond = all.filter((each) => order(each, place) * (after === undefined ? -1 : 1) > 0)
  const found = after === undefined ? beyond.slice(-size) : beyond.slice(0, size)
  return { found, more: beyond.length > size }
}

function orderBy({ by }: WorkedList, sort: readonly SortKey[]): (a: Worked, b: Worked) => number {
  const keys = [...sort, { path: by, descending: false }, { path: 'startDate', descending: false }]
  return (a, b) => {
    for (const { path, descending } of keys) {
      const [one, other] = [sortValue(by, a, path), sortValue(by, b, path)]
      if (one !== other) return one < other === descending ? 1 : -1
    }
    return 0
  }
}

function sortValue(by: string, each: Worked, path: string): string | number {
  const values: Record<string, string | number> = {
    id: idOf(each),
    [by]: each.of,
    startDate: each.startDate,
    endDate: each.endDate,
    quantity: each.quantity,
  }
  return values[path] ?? ''
}

function expectSortable({ by }: WorkedList, sort: readonly SortKey[]): void {
  const allowed = ['id', by, 'startDate', 'endDate', 'quantity']
  const strange = sort.find(({ path }) => !allowed.includes(path))
  if (!strange) return
  throw new Problem('invalid-sort-field', `${strange.path} cannot be sorted by.`, {
    parameter: 'sort',
    meta: { allowed },
  })
}

/** What a cursor is of must have been there: that is for the reader of it to say. */
function expectCursor({ page: { after, before } }: Query, expectThere: (id: string) => void): void {
  const cursor = after ?? before
  if (cursor === undefined) return
  const parameter = after === undefined ? 'page[before]' : 'page[after]'
  const unknown = () =>
    new Problem('page-cursor-unknown', `${parameter}: expected the id of a period already received.`, {
      parameter,
    })
  if (!cursor.includes(':')) throw unknown()
  try {
    expectThere(ofCursor(cursor))
  } catch (error) {
    if (error instanceof Problem && error.code === 'page-cursor-unknown') throw unknown()
    throw error
  }
}

/** The period that the cursor's date is in by now; where there is none, nothing of that date. */
function placeOf({ all }: WorkedList, cursor: string): Worked {
  const [of = '', startDate = ''] = cursor.split(':')
  const now = all.find((each) => each.of === of && each.startDate <= startDate && startDate <= each.endDate)
  return { endDate: startDate, quantity: 0, ...now, of, startDate }
}

function ofCursor(cursor: string): string {
  return cursor.split(':')[0] ?? ''
}

function idOf({ of, startDate }: Worked): string {
  return `${of}:${startDate}`
}

function documentOf(
  { resource, by, target }: WorkedList,
  each: Worked,
  chosen?: ReadonlySet<string>,
): Document {
  const { of, startDate, endDate, quantity } = each
  const id = idOf(each)
  const wanted = ([name]: [string, unknown]) => !chosen || chosen.has(name)
  const only = (members: object) => Object.fromEntries(Object.entries(members).filter(wanted))
  const relationships = only({ [relationshipName(by)]: { data: { type: target.type, id: of } } })
  const text = JSON.stringify({
    type: resource.type,
    id,
    attributes: only({ startDate, endDate, quantity }),
    ...(Object.keys(relationships).length > 0 && { relationships }),
  })
  return { id, revision: 1, text }
}
