import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pms, type SimulatedFiasPms } from '../../../../drivers/fias/simulator/pms-simulator.ts'
import { type FrontDesk, frontDesk } from '../../../../drivers/fias/simulator/simulated-front-desk.ts'
import { type HouseWithDoors, houseWithDoors, until } from '../../../access/house-with-doors.ts'
import { guestOf } from './guests.ts'
import { listening } from './pms-line.ts'

let house: HouseWithDoors
let foreign: SimulatedFiasPms
let desk: FrontDesk
let configuration: string
const endings: (() => unknown)[] = []
const connection = { direction: 'connect', patience: 1 }

/** A property whose line is set to windows-1252, and whose PMS sends UTF-8. */
before(async () => {
  house = await houseWithDoors()
  foreign = pms({ clock: house.clock, codePage: 'utf-8' })
  desk = frontDesk(foreign)
  const path = await listening({ after: (end: () => unknown) => void endings.push(end) }, foreign)
  Object.assign(connection, { path })
  const body = { name: 'Grand PMS', adapter: 'fias', conflictPolicy: { status: 'Pms' }, connection }
  const made = await house.ask('POST', '/api/config/v1/pms-configurations', { body })
  assert.equal(made.status, 201, made.text)
  configuration = `/api/config/v1/pms-configurations/${made.body.data.id}`
  await swaps(1)
})
after(async () => {
  await house.stop()
  for (const end of endings) await end()
})

const swaps = (least: number) =>
  until(
    'a swap',
    () => desk.swaps,
    (seen) => seen >= least,
  )

async function namesOf(externalId: string): Promise<string | null> {
  const { body } = await house.ask('GET', `/api/v2/stays?filter[externalId]=${externalId}&include=profiles`)
  const { attributes } = body.included?.[0] ?? {}
  return body.data[0]?.attributes.status === 'InHouse'
    ? `${attributes.firstName} ${attributes.lastName}`
    : null
}

const notesOf = async (): Promise<string[]> =>
  (await house.ask('GET', '/api/v2/status')).body.data.attributes.checks['pms:in-step'].flatMap(
    ({ messages }: { messages: { code: string; text: string }[] }) =>
      messages.map(({ code, text }) => `${code}: ${text}`),
  )

describe('A PMS that sends UTF-8 on a line of windows-1252', () => {
  it('has its guests in house with the right names, and the status names the setting', async () => {
    const names: [number: string, room: string, last: string, first: string][] = [
      ['5001', '301', 'Łukasińska', 'Zoë'],
      ['5002', '302', 'Müller', 'Jörg'],
      ['5003', '303', 'Šťastný', 'Jiří'],
    ]
    for (const [number, room, GN, GF] of names) desk.checkIn(guestOf(number, room, { GN, GF }))
    for (const [number, , last, first] of names)
      await until(
        `the guest ${number}`,
        () => namesOf(number),
        (seen) => seen === `${first} ${last}`,
      )
    const [note = ''] = await notesOf()
    assert.match(note, /^pms-line-utf8: .*`codePage` of its connection is windows-1252.*reservation 5003/)
    assert.doesNotMatch(note, /Šťastný/)
  })

  it('has nothing noted once the setting is right', async () => {
    const before = desk.swaps
    const { headers } = await house.ask('GET', configuration)
    const changed = await house.ask('PATCH', configuration, {
      headers: { 'If-Match': headers.get('etag') ?? '' },
      body: { connection: { ...connection, codePage: 'utf-8' } },
    })
    assert.equal(changed.status, 204, changed.text)
    await swaps(before + 1)
    assert.deepEqual(await notesOf(), [])
    assert.equal(await namesOf('5001'), 'Zoë Łukasińska')
  })
})

describe('A PMS of another code page on a line of UTF-8', () => {
  it('has its guests in house, with a visible substitute for what is no letter', async () => {
    foreign.codePage = 'windows-1252'
    const before = desk.swaps
    foreign.drop()
    await swaps(before + 1)
    desk.checkIn(guestOf('5010', '304', { GN: 'Groß', GF: 'Anna' }))
    await until(
      'the guest 5010',
      () => namesOf('5010'),
      (seen) => seen === 'Anna Gro\ufffd',
    )
    const [note = ''] = await notesOf()
    assert.match(note, /^pms-line-letters: .*code page utf-8.*reservation/)
    const quarantined = await house.ask('GET', '/api/config/v1/quarantined-messages')
    assert.deepEqual(quarantined.body?.data ?? [], [])
  })
})
