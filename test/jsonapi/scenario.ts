import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type AskOptions, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'

/** One request and what is to be seen of its answer. `:name` in paths and bodies stands for a fact of the house. */
export interface Scenario extends AskOptions {
  name: string
  ask: string
  status: number
  /** The code of the first error, and where it says the problem is. */
  code?: string
  source?: { pointer: string } | { parameter: string } | { header: string }
  /** What the body holds, among other things. */
  holds?: unknown
  /** Texts that the body does not hold. */
  lacks?: string[]
  /** What headers say; null for one that is not there. */
  says?: Record<string, string | RegExp | null>
  also?(reply: Reply): void
}

/** Ids that scenarios are written with. */
export type Facts = Record<string, string>

/** The sample property, and the ids of a few things in it. */
export async function factsOf({ ask }: TestAppliance): Promise<Facts> {
  const first = async (path: string): Promise<{ id: string; attributes: Record<string, never> }> =>
    (await ask('GET', `/api/v2/${path}`)).body.data[0]
  const reservation = await first('reservations?filter[reservationIds.value]=NP-1001')
  const [stay] = reservation.attributes.stays as unknown as { id: string; profiles: { id: string }[] }[]
  return {
    single: (await first('unit-types?filter[code]=SGL')).id,
    double: (await first('unit-types?filter[code]=DBL')).id,
    balcony: (await first('amenities')).id,
    unit: (await first('units?filter[name]=101')).id,
    reservation: reservation.id,
    stay: stay!.id,
    guest: stay!.profiles[0]!.id,
    nobody: '0197c0de-0000-7000-8000-000000000001',
  }
}

/** Plays the scenarios, in their order, on one house. */
export function play(scenarios: readonly Scenario[]): void {
  let house: TestAppliance
  let facts: Facts
  before(async () => {
    house = await startAppliance()
    facts = await factsOf(house)
  })
  after(() => house.stop())
  for (const scenario of scenarios) it(scenario.name, () => playOne(house, facts, scenario))
}

const fill = (text: string, facts: Facts) =>
  text.replace(/:([a-z]+)\b/g, (whole, name: string) => facts[name] ?? whole)

async function playOne({ ask }: TestAppliance, facts: Facts, scenario: Scenario): Promise<void> {
  const [method = '', path = ''] = fill(scenario.ask, facts).split(/ (.*)/)
  const { body, headers, token, holds, lacks = [], says = {} } = scenario
  const reply = await ask(method, path, {
    ...(body !== undefined && { body: filled(body, facts) }),
    ...(headers && { headers }),
    ...(token !== undefined && { token }),
  })
  assert.equal(reply.status, scenario.status, reply.text)
  if (scenario.code !== undefined) assert.equal(reply.body.errors[0].code, scenario.code, reply.text)
  if (scenario.source) assert.deepEqual(reply.body.errors[0].source, scenario.source)
  if (holds !== undefined) assert.partialDeepStrictEqual(reply.body, filled(holds, facts))
  for (const text of lacks) assert.ok(!reply.text.includes(text), `${text} in ${reply.text}`)
  for (const [name, expected] of Object.entries(says)) {
    const said = reply.headers.get(name)
    if (expected instanceof RegExp) assert.match(String(said), expected)
    else assert.equal(said, expected === null ? null : fill(expected, facts))
  }
  scenario.also?.(reply)
}

function filled(value: unknown, facts: Facts): unknown {
  return typeof value === 'string' ? value : JSON.parse(fill(JSON.stringify(value), facts))
}
