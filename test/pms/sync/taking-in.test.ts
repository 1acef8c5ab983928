import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { silence } from '../adapters/scripted-adapter.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { reported } from './played-pms.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse()
  await house.synchronise('pull')
})
after(() => house.stop())

const comments = async (externalId: string) => {
  const found = await house.reservation(externalId)
  return (found?.attributes as { stays?: { comment: string }[] } | undefined)?.stays?.map(
    ({ comment }) => comment,
  )
}
const say = (externalId: string, comment: string) =>
  house.pms.report(externalId, reported(externalId, { comment }))

describe('What a PMS has changed', () => {
  it('is here after it was pulled, page by page, and the place behind it is kept', async () => {
    for (let number = 1; number <= 25; number++) say(`A${number}`, `No. ${number}`)
    const counts = await house.synchronise('pull')
    assert.deepEqual([counts.received, counts.applied, counts.quarantined], [25, 25, 0])
    assert.deepEqual(await comments('A1'), ['No. 1'])
    assert.deepEqual(await comments('A25'), ['No. 25'])
    assert.equal((await house.state()).pullCursor, '25')
    assert.equal((await house.synchronise('pull')).received, 0)
  })

  it('comes by itself where the line tells it, and is fetched where something is missing before it', async () => {
    const asked = house.pms.pulled.length
    const change = say('B1', 'by itself')
    const at = house.pms.log.length
    house.pms
      .news()
      .changes({ changes: [change], refused: [], cursor: String(at), more: false, previous: String(at - 1) })
    await eventually('the change', async () => (await comments('B1'))?.[0] === 'by itself')
    assert.equal(house.pms.pulled.length, asked, 'nothing was fetched')

    say('B2', 'missed')
    const later = say('B3', 'after a gap')
    const end = house.pms.log.length
    house.pms
      .news()
      .changes({ changes: [later], refused: [], cursor: String(end), more: false, previous: String(end - 1) })
    await eventually(
      'both',
      async () => (await comments('B2'))?.[0] === 'missed' && (await comments('B3')) !== undefined,
    )
    assert.deepEqual(await comments('B3'), ['after a gap'])
    assert.ok(house.pms.pulled.length > asked)
    // What was reported is there before the place behind it is kept.
    await eventually('the place', async () => (await house.state()).pullCursor === String(end))
  })

  it('is fetched where what the line tells cannot be read', async () => {
    await house.synchronise('pull')
    house.pms.report('N1', reported('N1'))
    const [previous, cursor] = [String(house.pms.log.length - 1), String(house.pms.log.length)]
    const page = { previous, changes: 'none', refused: [], cursor, more: false }
    house.pms.news().changes(page as never)
    await eventually('the reservation', async () => (await house.reservation('N1')) !== undefined)
  })

  it('is fetched when the line says that there is something', async () => {
    say('C1', 'nudged')
    house.pms.news().poke()
    await eventually('the change', async () => (await comments('C1'))?.[0] === 'nudged')
  })

  it('reported twice, late and in another order leaves the newest', async () => {
    const [first, second, third] = ['one', 'two', 'three'].map((comment) => say('D1', comment))
    house.pms.log.splice(-3, 3, third, first, second, third, first)
    const counts = await house.synchronise('pull')
    assert.equal(counts.received, 5)
    assert.deepEqual(await comments('D1'), ['three'])
  })
})

describe('A PMS', () => {
  const failing: [what: string, mishap: Parameters<LinkedHouse['pms']['next']>[1], code: string][] = [
    ['that is silent', () => silence(), 'adapter-timeout'],
    ['that throws', () => Promise.reject(new Error('no')), 'adapter-crashed'],
    ['that says what failed', () => Promise.reject(new DeviceFault('vendor-error', 'E5')), 'vendor-error'],
    [
      'that sends half a page',
      async (work) => ({ ...((await work()) as object), cursor: undefined }),
      'vendor-error',
    ],
    ['that sends no page', async () => 'everything', 'vendor-error'],
  ]
  for (const [what, mishap, code] of failing) {
    it(`${what} is a 502, keeps the place, and is asked again`, async () => {
      const at = (await house.state()).pullCursor
      const name = `E-${what.replaceAll(' ', '-')}`
      say(name, what)
      house.pms.next('pull', mishap)
      const reply = await house.ask('POST', `${house.configuration}/actions/pull`)
      assert.deepEqual([reply.status, reply.body.errors[0].code], [502, code], reply.text)
      assert.equal((await house.state()).pullCursor, at)
      await house.synchronise('pull')
      assert.deepEqual(await comments(name), [what])
      assert.equal((await house.state()).state, 'connected')
    })
  }

  it('that is away and back is asked at once when its line says so', async () => {
    house.pms.next('pull', () =>
      Promise.reject(new DeviceFault('adapter-timeout', 'no line', { retryAfterSeconds: 3_600 })),
    )
    await house.ask('POST', `${house.configuration}/actions/pull`)
    say('F1', 'while it was away')
    house.pms.news().poke()
    house.pms.news().line('up', null)
    await eventually('the change', async () => (await comments('F1')) !== undefined)
  })

  it('is offered nothing after a lost line before all that was missed is fetched, whatever arrives unasked', async () => {
    say('G1', 'before')
    await house.synchronise('pull')
    const { id } = (await house.reservation('G1'))!
    const { stays } = await house.attributes(`/api/v2/reservations/${id}`)
    const { length: offers } = house.pms.offered
    house.pms.news().line('down', 'The cable is out.')
    const path = `/api/v2/reservations/${id}/stays/${stays[0].id}`
    const reply = await house.ask('PATCH', path, { body: { guestComment: 'A quiet room.' } })
    assert.equal(reply.status, 204, reply.text)
    const first = say('G1', 'one')
    const cursor = String(house.pms.log.length)
    const { revision } = say('G1', 'two')
    const previous = String(Number(cursor) - 1)
    house.pms.news().changes({ changes: [first], refused: [], cursor, more: false, previous })
    await eventually('the offer', () => house.pms.offered.length > offers)
    assert.equal(house.pms.offered[offers]?.baseRevision, revision)
    assert.equal(house.pms.value('G1')?.stays[0]?.guestComment, 'A quiet room.')
  })

  it('that has more without end and whose cursor does not move is a fault', async () => {
    await house.synchronise('pull')
    const cursor = (await house.state()).pullCursor
    house.pms.next('pull', async () => ({ changes: [], refused: [], cursor, more: true }))
    const reply = await house.ask('POST', `${house.configuration}/actions/pull`)
    assert.equal(reply.status, 502, reply.text)
    assert.match(reply.body.errors[0].detail, /its cursor does not move/)
  })

  it('is reported once when its line is lost, and once when it is back', async () => {
    await house.synchronise('pull')
    const before = [house.eventsOf('pms.connected').length, house.eventsOf('pms.disconnected').length]
    house.pms.cut()
    house.pms.cut()
    await eventually('disconnected', () => house.eventsOf('pms.disconnected').length === before[1]! + 1)
    assert.equal((await house.state()).fault, 'The cable is out.')
    house.pms.mend()
    await house.synchronise('pull')
    await house.synchronise('pull')
    await eventually('connected', () => house.eventsOf('pms.connected').length === before[0]! + 1)
    assert.equal(house.eventsOf('pms.disconnected').length, before[1]! + 1)
    assert.ok(house.eventsOf('pms.sync-completed').length >= 2)
  })

  it('has everything fetched anew when somebody wants that, which changes nothing', async () => {
    const rows = house.count('SELECT count(*) FROM reservation')
    const revisions = house.count('SELECT sum(revision) FROM reservation')
    const counts = await house.synchronise('full-load')
    assert.equal(counts.received, house.pms.log.length)
    assert.equal(counts.applied, 0)
    assert.deepEqual(
      [house.count('SELECT count(*) FROM reservation'), house.count('SELECT sum(revision) FROM reservation')],
      [rows, revisions],
    )
  })
})
