import assert from 'node:assert/strict'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { it, type TestContext } from 'node:test'
import { simulatedMews } from '../../../src/simulators/mews/simulated-mews.ts'
import type { SimulatedMews } from '../../../src/simulators/mews/simulated-property.ts'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { passTime } from '../../test-clock.ts'
import { some, stateOf } from './week/hotel.ts'

/** Fewer, to look into something: `MEWS_STAYS=50 node --test test/long/pms/mews-day.test.ts`. */
const stays = Number(process.env.MEWS_STAYS ?? 930)
const walkIns = Math.ceil(stays / 20)
/** Stays of which a person at Mews changes the dates on the same day. */
const disputed = 12
const today = '2026-06-01'
const leavesEarly = (number: number) => number >= disputed && number % 10 === 3

const roomId = (number: number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`
const roomOf = (number: number) => `M${number}`

it('a day without a line drains to Mews at its rate limit, without a conflict that no person has caused', async (t) => {
  const { house, there, line, configurationId } = await opened(t)
  const known = await reservationsOf(house, there)
  line.cut()
  const changes = await day(house, known)
  assert.ok(stays < 930 || changes >= 5_000, `${changes} changes`)
  const ids = [...known.keys()]
  for (const id of ids.slice(0, disputed)) there.change(id, { ScheduledEndUtc: '2026-06-07T10:00:00.000Z' })
  there.asked.length = 0
  const from = house.clock.now()
  await line.mend()
  await drained(house, configurationId)
  const seconds = (house.clock.now() - from) / 1_000
  t.diagnostic(`${changes} changes, ${there.asked.length} requests, ${Math.round(seconds)} s`)
  assert.equal(there.limited, 0, 'no request was refused as one too many')
  await expectAtMews(there, known)
  const expected = new Set(ids.slice(0, disputed).map((id) => known.get(id)!.id))
  const [caused, others] = [[], []] as [string[], string[]]
  for (const { reservationId, fieldGroup, sentence } of await conflictsOf(house)) {
    const isCaused = expected.has(reservationId) && fieldGroup === 'dates'
    ;(isCaused ? caused : others).push(sentence)
  }
  assert.deepEqual(others, [])
  assert.equal(caused.length, disputed)
})

interface Known {
  id: string
  stayId: string
  profileId: string
  number: number
}

async function opened(t: TestContext) {
  const house = await startAppliance()
  t.after(() => house.stop())
  const there = await simulatedMews({ startMs: house.clock.now(), now: () => house.clock.now() })
  t.after(() => there.close())
  const line = await relay(t, Number(new URL(there.platformAddress).port))
  const unitTypeId = await make(house, '/api/v2/unit-types', { code: 'MWS', name: 'Double' })
  const count = stays + walkIns
  await some(
    Array.from({ length: count }, (_, number) => async () => {
      const name = roomOf(number)
      there.rooms.set(name, { id: roomId(number), category: 'MWS' })
      await make(house, '/api/v2/units', { name, unitTypeId, status: 'Inspected' })
    }),
    8,
  )
  for (let number = 0; number < stays; number++) {
    there.book({
      LastName: `Guest ${number}`,
      RequestedResourceCategoryId: there.categoryId('MWS'),
      // Some guests come before the planned time.
      ScheduledStartUtc: `2026-06-01T${number % 7 === 1 ? 20 : 13}:00:00.000Z`,
      ScheduledEndUtc: '2026-06-03T10:00:00.000Z',
    })
  }
  const { serviceId, rateId, clientToken, accessToken } = there
  const configurationId = await make(house, '/api/config/v1/pms-configurations', {
    name: 'Mews',
    adapter: 'mews',
    transport: 'http',
    heartbeatSeconds: 60,
    timeoutMs: 60_000,
    connection: { platformAddress: line.address, serviceId, rateId },
    credentials: { clientToken, accessToken },
  })
  await until('all reservations', async () => (await reservationsOf(house, there)).size === stays)
  await drained(house, configurationId)
  return { house, there, line, configurationId }
}

/** What the desk and the guests do while the line is down. Returns the number of changes. */
async function day(house: TestAppliance, known: Map<string, Known>): Promise<number> {
  let changes = 0
  const change = async (method: string, path: string, body: object) => {
    const reply = await house.ask(method, `/api/v2/${path}`, { body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    changes++
  }
  const { body } = await house.ask('GET', '/api/v2/unit-types/MWS')
  const unitTypeId = body.data.id
  const units = await unitsByName(house)
  const work = [...known.values()].map(({ id, stayId, profileId, number }) => async () => {
    const stay = `reservations/${id}/stays/${stayId}`
    const place = [{ unitTypeId, unitId: units.get(roomOf(number)) }]
    await change('PATCH', `profiles/${profileId}`, { emails: [{ address: `guest-${number}@example.com` }] })
    await change('PATCH', `reservations/${id}`, { comment: `Arrives at ${number}.` })
    await change('PATCH', stay, { units: place })
    const amount = number % 4 === 0 ? { currency: 'EUR', amountWithTax: 20_000 } : null
    await change('PATCH', stay, { endDate: '2026-06-04', amount })
    await change('PATCH', stay, { status: 'InHouse' })
    if (leavesEarly(number)) await change('PATCH', stay, { status: 'CheckedOut' })
    if (amount === null) return
    const payment = {
      currency: 'EUR',
      amount: 1_000 + number,
      brand: 'Visa',
      terminalTransactionId: `T${number}`,
    }
    await change('POST', `${stay}/actions/record-payment`, payment)
  })
  await some(work, 8)
  const newcomers = Array.from({ length: walkIns }, (_, at) => async () => {
    const unitId = units.get(roomOf(stays + at))
    const profiles = [{ role: 'PrimaryGuest', firstName: 'Walter', lastName: `Walkin ${at}` }]
    const stay = { startDate: today, endDate: '2026-06-02', status: 'InHouse', personCount: { adults: 1 } }
    const whole = { ...stay, reservationIds: [], units: [{ unitTypeId, unitId }], profiles }
    await change('POST', 'reservations', { stays: [whole] })
  })
  await some(newcomers, 8)
  return changes
}

async function expectAtMews(there: SimulatedMews, known: Map<string, Known>): Promise<void> {
  const notes = Map.groupBy(there.notes, ({ ServiceOrderId }) => ServiceOrderId)
  const wrong: unknown[] = []
  for (const [at, [id, { number }]] of [...known].entries()) {
    const { State, AssignedResourceId, ScheduledEndUtc, AccountId } = there.reservations.get(id)!
    const texts = (notes.get(id) ?? []).map(({ Text }) => Text.replace(/ \[.*/, ''))
    const hasLeft = leavesEarly(number)
    const end = at < disputed ? '2026-06-07' : hasLeft ? today : '2026-06-04'
    const state = hasLeft ? 'Processed' : 'Started'
    const is = [
      State,
      AssignedResourceId,
      ScheduledEndUtc.slice(0, 10),
      there.customers.get(AccountId)?.Email,
      texts,
    ]
    const expected = [state, roomId(number), end, `guest-${number}@example.com`, [`Arrives at ${number}.`]]
    if (JSON.stringify(is) !== JSON.stringify(expected)) wrong.push({ is, expected })
  }
  assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length} are otherwise at Mews`)
  assert.equal(there.payments.length, Math.ceil(stays / 4))
  assert.equal(
    new Set(there.payments.map(({ Data }) => Data?.External?.ExternalIdentifier)).size,
    there.payments.length,
  )
  const made = [...there.reservations.values()].filter(({ Id }) => !known.has(Id))
  assert.deepEqual([made.length, new Set(made.map(({ State }) => State))], [walkIns, new Set(['Started'])])
}

async function make(house: TestAppliance, path: string, body: object): Promise<string> {
  const reply = await house.ask('POST', path, { body })
  assert.equal(reply.status, 201, reply.text)
  return reply.body.data.id
}

/** All pages of a collection. */
async function all(house: TestAppliance, path: string) {
  const found = []
  let next: string | null = `${path}${path.includes('?') ? '&' : '?'}page[size]=100`
  while (next) {
    const reply = await house.ask('GET', next)
    assert.equal(reply.status, 200, reply.text)
    found.push(...reply.body.data)
    next = reply.body.links?.next ?? null
  }
  return found
}

async function reservationsOf(house: TestAppliance, there: SimulatedMews): Promise<Map<string, Known>> {
  const found = await all(house, '/api/v2/reservations')
  return new Map(
    found
      .filter(({ attributes }) => there.reservations.has(attributes.externalId))
      .map(({ id, attributes }, at) => {
        const [stay] = attributes.stays
        return [attributes.externalId, { id, stayId: stay.id, profileId: stay.profiles[0].id, number: at }]
      }),
  )
}

async function unitsByName(house: TestAppliance): Promise<Map<string, string>> {
  const found = await all(house, '/api/v2/units')
  return new Map(found.map(({ id, attributes }) => [attributes.name, id]))
}

async function conflictsOf(house: TestAppliance) {
  const found = await all(house, '/api/config/v1/sync-conflicts')
  return found.map(
    ({ attributes }) => attributes as Record<'reservationId' | 'fieldGroup' | 'sentence', string>,
  )
}

async function drained(house: TestAppliance, configurationId: string): Promise<void> {
  await until('an empty outbox', async () => {
    const { outbox, pullCursor } = await stateOf(house.ask, configurationId)
    return outbox === 0 && pullCursor !== null
  })
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let rounds = 0; !(await isSo()); rounds++) {
    assert.ok(rounds < 2_000, `not in time: ${what}`)
    await passTime(5_000)
  }
}

/** A line to a port of this machine that can be cut. */
async function relay(t: TestContext, target: number) {
  const sockets = new Set<Socket>()
  let server: Server
  let port = 0
  const mend = async () => {
    server = createServer((near) => {
      const far = connect(target, '127.0.0.1')
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          for (const other of [near, far]) other.destroy()
        })
      }
      near.pipe(far).pipe(near)
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as { port: number }).port
  }
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  t.after(cut)
  await mend()
  return { address: `http://127.0.0.1:${port}`, cut, mend }
}
