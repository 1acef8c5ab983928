import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestOptions } from '../../appliance.ts'
import { openHouse, type ReservationHouse, refused } from './house.ts'

type Values = Record<string, unknown>

/** One request and what becomes of it. What `given` gives is filled into the request where it says `{name}`. */
export interface Scenario {
  name: string
  given?: (house: ReservationHouse) => Promise<object>
  /** A token made by `given` under this name; the administrator's when absent. */
  as?: string
  request: [method: string, path: string, body?: unknown]
  headers?: Record<string, string>
  status: number
  /** Of the answer's attributes, or of the resource read afterwards when there is an `afterwards`. */
  holds?: Values
  lacks?: string[]
  /** The attributes of a list document's items: as many, in this order. */
  lists?: Values[]
  /** The ids of what the list's items are related to, by the name of the relationship, in this order. */
  related?: Record<string, string[]>
  /** What comes along: type and id of each, in any order. */
  includes?: { type: string; id: string }[]
  /** What is read afterwards. */
  afterwards?: string
  /** What the first error says; the pointer is relative to the attributes, or whole when it begins with /data. */
  error?: { code: string; at?: string; meta?: Values }
  header?: [name: string, value: RegExp]
}

/** Plays each scenario as a test of its own, all in one house. */
export function scenarios(title: string, list: readonly Scenario[], options: TestOptions = {}): void {
  describe(title, () => {
    let house: ReservationHouse
    before(async () => {
      house = await openHouse(options)
    })
    after(() => house.stop())
    for (const scenario of list) it(scenario.name, () => play(house, scenario))
  })
}

async function play(house: ReservationHouse, scenario: Scenario): Promise<void> {
  const known = { ...(await scenario.given?.(house)) } as Values
  const [method, path, body] = filled(scenario.request, known)
  const token = scenario.as ? String(known[scenario.as]) : 'demo'
  const headers = scenario.headers ?? {}
  const reply = await house.ask(method, path, { token, headers, ...(body !== undefined && { body }) })
  if (scenario.error) {
    const { code, at, meta } = filled(scenario.error, known)
    refused(reply, scenario.status, code, at?.startsWith('/data') ? at : at && `/data/attributes${at}`, meta)
  }
  assert.equal(reply.status, scenario.status, reply.text)
  if (scenario.header) assert.match(reply.headers.get(scenario.header[0]) ?? '', scenario.header[1])
  const shown = scenario.afterwards
    ? await house.attributes(filled(scenario.afterwards, known))
    : (reply.body?.data?.attributes ?? {})
  if (scenario.holds) assert.partialDeepStrictEqual(shown, filled(scenario.holds, known))
  if (scenario.lists) {
    const items: Values[] = reply.body.data.map(({ attributes }: { attributes: Values }) => attributes)
    assert.equal(items.length, scenario.lists.length, reply.text)
    assert.partialDeepStrictEqual(items, filled(scenario.lists, known))
  }
  for (const [name, ids] of Object.entries(scenario.related ?? {})) {
    const found = reply.body.data.map(({ relationships }: Values) => (relationships as Values)[name])
    assert.deepEqual(
      found.map(({ data }: { data: Values }) => data.id),
      filled(ids, known),
    )
  }
  if (scenario.includes) {
    const came: Values[] = reply.body.included.map(({ type, id }: Values) => ({ type, id }))
    assert.deepEqual(new Set(came), new Set(filled(scenario.includes, known)))
  }
  for (const name of scenario.lacks ?? []) assert.equal(shown[name] ?? null, null, `${name} is there`)
}

/** The same with every `{name}` replaced; a text that is nothing else becomes the value itself. */
function filled<T>(value: T, known: Values): T {
  if (typeof value === 'string') {
    const [, whole] = /^\{(\w+)\}$/.exec(value) ?? []
    if (whole !== undefined && whole in known) return known[whole] as T
    return value.replace(/\{(\w+)\}/g, (text, name) => String(known[name] ?? text)) as T
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, known)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, known)])) as T
}
