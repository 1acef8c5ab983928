import assert from 'node:assert/strict'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import {
  type Ask,
  type Reply,
  startAppliance,
  type TestAppliance,
  type TestOptions,
} from '../../appliance.ts'
import { tokenOf } from '../../token-of.ts'

type Values = Record<string, unknown>

/** A stay with the paths it is reached by. */
export interface MadeStay {
  reservation: string
  path: string
  id: string
}

/** The sample property with what tests of the reservation interface make in it. Everything goes over HTTP. */
export interface ReservationHouse extends TestAppliance {
  /** Makes a resource and gives its id; fails the test when it is refused. */
  make(collection: string, attributes: Values): Promise<string>
  /** A new unit type with a number of clean units, for a test that must not share them; `unitId` is the first. */
  rooms(count: number, type?: Values): Promise<{ unitTypeId: string; unitIds: string[]; unitId: string }>
  /** A reservation with one stay, for today and one night unless said otherwise. */
  stay(attributes?: Values): Promise<MadeStay>
  /** The same, told by a PMS: it is kept even where no unit is left. */
  told(attributes?: Values): Promise<MadeStay>
  /** The attributes of a resource as they are read now. */
  attributes(path: string): Promise<Reply['body']>
  /** The token of a new caller in this role, with further scopes. */
  tokenOf(role: string, scopes?: string[]): Promise<string>
  /** What was written down of a subject such as `stays/{id}`, the oldest first. */
  journal(subject: string): { type: string; data: Values }[]
}

/** The property's day at the start of a test: see `monday`. */
export const today = '2026-06-01'
export const tomorrow = '2026-06-02'
export const yesterday = '2026-05-31'

export async function openHouse(options: TestOptions = {}): Promise<ReservationHouse> {
  const test = (await startAppliance(options)) as ReservationHouse
  const { ask } = test
  let count = 0
  test.make = async (collection, attributes) => {
    const base = collection.startsWith('/') ? '' : '/api/v2/'
    const made = await ask('POST', `${base}${collection}`, { body: attributes })
    assert.equal(made.status, 201, made.text)
    return made.body.data.id
  }
  test.rooms = async (units, type = {}) => {
    const code = `T${++count}`
    const unitTypeId = await test.make('unit-types', { code, name: code, ...type })
    const unitIds: string[] = []
    for (let number = 1; number <= units; number++) {
      unitIds.push(await test.make('units', { name: `${code}-${number}`, status: 'Clean', unitTypeId }))
    }
    return { unitTypeId, unitIds, unitId: unitIds[0] ?? '' }
  }
  const book = async (token: string, attributes: Values): Promise<MadeStay> => {
    const stays = [{ ...aStay, units: [{ unitTypeId: await anyType(ask) }], ...attributes }]
    const made = await ask('POST', '/api/v2/reservations', { body: { stays }, token })
    assert.equal(made.status, 201, made.text)
    const reservation = `/api/v2/reservations/${made.body.data.id}`
    const [{ id }] = made.body.data.attributes.stays
    return { reservation, path: `${reservation}/stays/${id}`, id }
  }
  let pms: Promise<string> | undefined
  test.stay = (attributes = {}) => book('demo', attributes)
  test.told = async (attributes = {}) => {
    pms ??= test.tokenOf('integrator')
    return book(await pms, attributes)
  }
  test.attributes = async (path) => {
    const read = await ask('GET', path)
    assert.equal(read.status, 200, read.text)
    return read.body.data.attributes
  }
  test.tokenOf = (role, scopes) => tokenOf(ask, role, scopes)
  test.journal = (subject) => journalOf(test.data, subject)
  return test
}

function journalOf(data: string, subject: string): { type: string; data: Values }[] {
  const file = new Database(join(data, 'nightporter.db'), { readonly: true })
  try {
    const sql = 'SELECT type, data FROM journal WHERE subject = ? ORDER BY sequence'
    const rows = file.prepare<string, { type: string; data: string }>(sql).all(subject)
    return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }))
  } finally {
    file.close()
  }
}

export const aStay = {
  startDate: today,
  endDate: tomorrow,
  status: 'Confirmed',
  personCount: { adults: 1 },
  reservationIds: [],
}

async function anyType(ask: Ask): Promise<string> {
  const { body } = await ask('GET', '/api/v2/unit-types/DBL')
  return body.data.id
}

/** For the refusal of a request: its status, and the code, the pointer and the meta of its first error. */
export function refused(reply: Reply, status: number, code: string, pointer?: string, meta?: Values): void {
  assert.equal(reply.status, status, reply.text)
  const [error] = reply.body.errors
  assert.equal(error.code, code, reply.text)
  if (pointer !== undefined) assert.equal(error.source?.pointer, pointer, reply.text)
  if (meta) assert.partialDeepStrictEqual(error.meta, meta)
}
