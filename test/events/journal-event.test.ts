import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import cloudevents from 'cloudevents'
import { resources } from '../../src/composition/api.ts'
import { eventKinds } from '../../src/events/event-kinds.ts'
import { type Feed, feed } from '../../src/events/feed.ts'
import { backgroundWork } from '../../src/host/background-work.ts'
import { type Connection, openReader } from '../../src/store/connection.ts'
import { reader } from '../../src/store/reader.ts'
import { noScans } from '../../src/store/scan/scans.ts'
import { type HouseWithDoors, houseWithDoors, idle } from '../access/house-with-doors.ts'
import { expectCloudEvent } from './expect-cloud-event.ts'

const root = join(import.meta.dirname, '../..')
const source = 'urn:property:0197c0de-0000-7000-8000-0000000000f1'
const houseId = '0197c0de-0000-7000-8000-0000000000a1'

describe('a line of the journal', () => {
  let house: HouseWithDoors
  let db: Connection
  before(async () => {
    house = await houseWithDoors()
    assert.equal((await house.issue('101')).status, 201)
    db = openReader(join(house.data, 'nightporter.db'))
  })
  after(() => {
    db.close()
    return house.stop()
  })

  function feedOf(id = houseId): Feed {
    return feed({
      reader: reader(db, resources, { version: () => 0, clock: house.clock, scans: noScans }),
      resources,
      clock: house.clock,
      origin: () => ({ source, houseId: id }),
      nameOf: () => null,
      written: () => () => {},
      background: backgroundWork({ clock: house.clock, failed: assert.fail }),
      failed: (error) => assert.fail(String(error)),
    })
  }

  function all(from = feedOf()) {
    const heard = []
    for (let page = from.after(0, 100); ; page = from.after(page.last, 100)) {
      heard.push(...page.events)
      if (!page.more) return heard
    }
  }

  it('is a CloudEvent 1.0 for every reader', () => {
    const heard = all()
    assert.ok(heard.length > 50)
    for (const { event } of heard) {
      expectCloudEvent(event)
      const text = JSON.stringify(event)
      const read = new cloudevents.CloudEvent(JSON.parse(text), true)
      assert.equal(read.validate(), true)
      assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(text))
    }
  })

  it('is always the same event, and another event for another property', () => {
    const ids = all().map(({ event }) => event.id)
    assert.deepEqual(
      all().map(({ event }) => event.id),
      ids,
    )
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(
      all(feedOf('0197c0de-0000-7000-8000-0000000000a2')).some(({ event }) => ids.includes(event.id)),
      false,
    )
  })

  it('has a sequence that also sorts as text', () => {
    const sequences = all().map(({ event }) => event.sequence!)
    assert.deepEqual(sequences.toSorted(), sequences)
    assert.match(sequences[0]!, /^\d{20}$/)
  })

  it('contains its subject and links, and no more', async () => {
    const live = all().find(({ event }) => event.type === 'key.live')!.event
    assert.equal(live.subject, `keys/${live.data.id}`)
    assert.deepEqual(live.data.links, { self: `/api/v2/access/keys/${live.data.id}` })
    assert.equal((await house.ask('GET', live.data.links.self!)).status, 200)
    assert.deepEqual(Object.keys(live.data), ['id', 'type', 'revision', 'changed', 'by', 'links'])
  })

  describe('of a stay with its unit and its cards', () => {
    const told = new Map<string, { self: string; revision: number | null; changed: string[] }[]>()
    before(async () => {
      const known = all().length
      const { data: unit } = (await house.ask('GET', '/api/v2/units?filter[name]=201')).body
      const { unitTypeId } = unit[0].attributes
      const stay = {
        startDate: '2026-06-01',
        endDate: '2026-06-03',
        status: 'Confirmed',
        personCount: { adults: 1 },
        units: [{ unitTypeId, unitId: unit[0].id }],
        reservationIds: [],
      }
      const booked = (await house.ask('POST', '/api/v2/reservations', { body: { stays: [stay] } })).body.data
      const path = `/api/v2/reservations/${booked.id}/stays/${booked.attributes.stays[0].id}`
      const done: [method: string, path: string, body: object][] = [
        ['PATCH', `/api/v2/units/${unit[0].id}`, { status: 'Dirty' }],
        ['PATCH', `/api/v2/units/${unit[0].id}`, { status: 'Inspected' }],
        ['PUT', path, { ...stay, units: [{ unitTypeId }] }],
        ['PATCH', path, { status: 'Canceled' }],
        [
          'PATCH',
          `/api/v2/availability/units/${unit[0].id}`,
          [{ startDate: '2026-07-01', endDate: '2026-07-02', quantity: 0 }],
        ],
      ]
      for (const [method, at, body] of done)
        assert.equal((await house.ask(method, at, { body })).status, 204, `${method} ${at}`)
      await idle(house)
      assert.equal((await house.issue('101')).status, 201)
      for (const { event } of all().slice(known)) {
        const { revision, changed, links } = event.data
        const those = told.get(event.type as string) ?? []
        told.set(event.type as string, [...those, { self: links.self!, revision, changed }])
      }
    })

    for (const type of [
      'stay.unit-assigned',
      'stay.unit-unassigned',
      'stay.canceled',
      'reservation.canceled',
      'unit.status-changed',
      'key.superseded',
    ])
      it(`has the revision of the resource: ${type}`, () => {
        const those = told.get(type) ?? []
        assert.ok(those.length > 0)
        for (const { revision } of those) assert.ok(Number.isInteger(revision), `${revision}`)
      })

    it('names what changed as the resource shows it', async () => {
      for (const [type, those] of told)
        for (const { self, changed } of those.filter((each) => each.changed.length > 0)) {
          const { status, body } = await house.ask('GET', self)
          assert.equal(status, 200, self)
          const shown = Object.keys(body.data.attributes)
          assert.deepEqual(
            changed.filter((name) => !shown.includes(name)),
            [],
            type,
          )
        }
      assert.deepEqual(told.get('unit.changed')?.at(-1)?.changed, ['maintenance'])
    })
  })

  it('does not contain the values of a setting', () => {
    const changed = all().filter(({ event }) => event.type === 'access-provider.changed')
    assert.ok(changed.length > 0)
    for (const { event } of changed) {
      assert.deepEqual(Object.keys(event.data), ['id', 'type', 'revision', 'changed', 'by', 'links'])
    }
  })

  it('is published for every type that the program writes', () => {
    const kindOf = eventKinds(resources)
    const words = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\bjournal\(\s*(?:\w+ \? )?'([a-z.-]+)'/g),
    ])
    assert.ok(words.length > 20)
    assert.deepEqual(
      words.map(([, word = '']) => word).filter((word) => kindOf(word) === null),
      [],
    )
  })

  it('is published for resources that can be read, and for no others', () => {
    const kinds = new Set(db.prepare('SELECT DISTINCT type FROM journal').pluck().all() as string[])
    const told = new Set(all().map(({ event }) => event.type as string))
    assert.deepEqual([...kinds.difference(told)].sort(), [])
  })
})
