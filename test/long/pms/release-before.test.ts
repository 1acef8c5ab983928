import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { systemClock as clock } from '../../../src/host/clock.ts'
import type { SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import { serveHttp } from '../../../src/simulators/cloudevents/http-server.ts'
import { simulatedPms } from '../../../src/simulators/cloudevents/simulated-pms.ts'
import { sampleUnits, unitsIn } from '../../../src/simulators/cloudevents/units.ts'
import { eventually } from '../../eventually.ts'
import { type House, opened, releaseBefore, root, unpacked } from '../release-before.ts'

const work = mkdtempSync(join(tmpdir(), 'nightporter-pms-before-'))
after(() => rmSync(work, { recursive: true, force: true }))

const day = (from: number) => new Date(clock.now() + from * 86_400_000).toISOString().slice(0, 10)

const stay = (more: Partial<SharedStay>): SharedStay => ({
  externalId: null,
  status: 'Confirmed',
  startDate: day(20),
  endDate: day(22),
  personCount: { adults: 1 },
  units: [{ unitTypeCode: 'DBL', unitName: null }],
  reservationIds: [{ type: 'Confirmation', value: 'C-1' }],
  guests: [{ externalId: null, role: 'PrimaryGuest', firstName: 'Ada', lastName: 'Kern' }],
  comment: 'Quiet.',
  guestComment: null,
  ...more,
})

/** A simulated PMS whose line is cut and comes back at the same port. */
async function pmsWithLine() {
  const pms = simulatedPms({ clock, units: unitsIn(sampleUnits)! })
  let server: Awaited<ReturnType<typeof serveHttp>> | null = await serveHttp(pms, { port: 0, clock })
  const { baseUrl } = server
  const cut = async () => {
    await server?.close()
    server = null
  }
  after(cut)
  return {
    book: pms.book,
    baseUrl,
    cut,
    async mend() {
      server = await serveHttp(pms, { port: Number(new URL(baseUrl).port), clock })
    },
    stay: (name: string) => pms.book.reservations.get(name)?.value?.stays[0],
  }
}

const commit = releaseBefore()
it('what the release before has left for a PMS is sent by this program, and its conflicts can be decided', {
  skip: commit ? false : 'the history of the releases is not here',
}, async () => {
  const pms = await pmsWithLine()
  const names = ['SENT', 'DECIDED', 'BOTH']
  for (const name of names) pms.book.put(name, { externalId: name, stays: [stay({})] })
  const data = join(work, 'data')
  let house: House = await opened(unpacked(commit!, work), data)
  const done = async (method: string, path: string, attributes: object) => {
    const { status, text } = await house.ask(method, path, attributes)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return text === '' ? null : JSON.parse(text).data
  }
  const { id } = await done('POST', '/api/config/v1/pms-configurations', {
    name: 'PMS',
    adapter: 'cloudevents',
    transport: 'http',
    connection: { baseUrl: pms.baseUrl },
  })
  const configuration = `/api/config/v1/pms-configurations/${id}`
  const state = async () => (await house.read(`${configuration}/sync`)).attributes
  const here = async (name: string) =>
    (await house.read(`/api/v2/reservations?filter[externalId]=${name}`))[0]
  const change = async (name: string, attributes: object) => {
    const { id: of, attributes: has } = await here(name)
    await done('PATCH', `/api/v2/reservations/${of}/stays/${has.stays[0].id}`, attributes)
  }
  const conflicts = async () => await house.read('/api/config/v1/sync-conflicts?filter[state]=open')
  await eventually('three reservations', async () => (await state()).inboxLag === 0 && (await here('BOTH')))

  await pms.cut()
  await change('DECIDED', { endDate: day(24) })
  pms.book.put('DECIDED', {
    externalId: 'DECIDED',
    stays: [stay({ ...pms.stay('DECIDED'), endDate: day(23) })],
  })
  await pms.mend()
  await house.ask('POST', `${configuration}/actions/pull`, {})
  await eventually('a conflict', async () => (await conflicts()).length === 1)
  await eventually('nothing waits', async () => (await state()).outbox === 0)

  await pms.cut()
  await change('SENT', { comment: 'A cot, please.' })
  await change('BOTH', { comment: 'Here.', endDate: day(25) })
  pms.book.put('BOTH', { externalId: 'BOTH', stays: [stay({ ...pms.stay('BOTH'), comment: 'There.' })] })
  // It is tried, so a message without an answer is stored.
  await house.ask('POST', `${configuration}/actions/push`, {})
  await house.stop()

  house = await opened(root, data)
  const before = await state()
  assert.deepEqual([before.outbox, before.conflicts], [2, 1])
  await pms.mend()
  await house.ask('POST', `${configuration}/actions/push`, {})
  await eventually('all is sent', async () => (await state()).outbox === 0)
  assert.equal(pms.stay('SENT')?.comment, 'A cot, please.')
  assert.deepEqual([pms.stay('BOTH')?.comment, pms.stay('BOTH')?.endDate], ['There.', day(25)])
  assert.equal((await here('BOTH')).attributes.stays[0].comment, 'There.')

  const found = await conflicts()
  const decided = found.find(
    (each: { attributes: { fieldGroup: string } }) => each.attributes.fieldGroup === 'dates',
  )
  assert.match(decided.attributes.sentence, /Kern/)
  assert.deepEqual(
    found.map((each: { attributes: { fieldGroup: string } }) => each.attributes.fieldGroup).sort(),
    ['comments', 'dates'],
  )
  await done('POST', `/api/config/v1/sync-conflicts/${decided.id}/actions/choose`, { counts: 'Local' })
  await house.ask('POST', `${configuration}/actions/push`, {})
  await eventually('the decision is sent', () => pms.stay('DECIDED')?.endDate === day(24))
  await house.stop()
})
