import assert from 'node:assert/strict'
import type { Ask, Reply } from '../../../appliance.ts'
import type { Pass } from './play.ts'

/** A key as the store tells it. */
export interface KeyRow {
  id: string
  status: string
  uid: string | null
  pin: string | null
  unitName: string
  externalId: string | null
  original: boolean
  mayOpen: boolean
  verified: boolean
  proof: string | null
  validFrom: string
  validUntil: string
  pendingChange: { unitName: string } | null
}

/** The keys of a play's guests. */
export interface PlayedKeys {
  /** Asks for the key of a guest's stay, which may be sent again and again. */
  put(guest: number, unitName: string, more?: object): Promise<Reply>
  /** The newest key of a guest is to end, or to be made again. Whoever asks takes no offence if the program is dead. */
  tell(guest: number, what: 'block' | 'reencode' | 'end'): Promise<void>
  /** Asks what may be answered in any way; null from a program that is dead. */
  asked(method: string, path: string, body?: object): Promise<Reply | null>
  /** Those that a filter of the list finds. */
  rows(filter: string): Promise<KeyRow[]>
  /** Those of the guests, whatever became of them. */
  ofGuests(): Promise<KeyRow[]>
}

/** So many guests have keys in a play, and next to them one who comes last. */
export const guests = 2
export const lastGuest = 9

export function playedKeys(
  { ask, controllerId }: { ask: Ask; controllerId: string },
  name: string,
  wanted: () => object,
): PlayedKeys {
  const stay = (guest: number) => `${name}-${guest}`
  const asked: PlayedKeys['asked'] = (method, path, body) =>
    ask(method, path, body ? { body } : {}).catch(() => null)
  const rows: PlayedKeys['rows'] = async (filter) => {
    const { body, text } = await ask('GET', `/api/v2/access/keys?${filter}&page[size]=100`)
    assert.ok(body?.data, text)
    return body.data.map(({ id, attributes }: { id: string; attributes: object }) => ({ id, ...attributes }))
  }
  return {
    asked,
    rows,
    put: (guest, unitName, more = {}) =>
      ask('PUT', `/api/v2/access/controllers/${controllerId}/keys/by-reservation/${stay(guest)}`, {
        body: { original: true, unitName, ...wanted(), ...more },
      }),
    async tell(guest, what) {
      const [newest] = await rows(`filter[externalId]=${stay(guest)}&sort=-id`).catch(() => [])
      if (!newest) return
      const path = `/api/v2/access/keys/${newest.id}`
      await (what === 'end' ? asked('DELETE', path) : asked('POST', `${path}/actions/${what}`))
    },
    async ofGuests() {
      const each = [...Array(guests).keys(), lastGuest].map((guest) =>
        rows(`filter[externalId]=${stay(guest)}`),
      )
      return (await Promise.all(each)).flat()
    },
  }
}

const hourMs = 3_600_000

/** So many days from now on, for so many nights, as the calendar of the house in Lisbon shows them. */
export function datesFrom(now: number, inDays: number, nights: number) {
  const day = (days: number) => new Date(now + hourMs + days * 24 * hourMs).toISOString().slice(0, 10)
  return { startDate: day(inDays), endDate: day(inDays + nights) }
}

/** How often somebody asks again: longer than the longest pause before a thing is tried again. */
const mostTries = 40

/** Whoever asks until he has his key gets one. */
export async function served(put: () => Promise<Reply>, pass: Pass): Promise<Reply> {
  for (let tries = 0; ; tries++) {
    const reply = await put()
    if (reply.status === 200) return reply
    if (tries === mostTries) assert.fail(`the next guest has no key: ${reply.text}`)
    await pass(tries < mostTries / 2 ? 'short' : 'long')
  }
}

/** What opens a unit now: the serial number of a card. */
export interface Opening {
  uid: string
  unitName: string
}

/** Where a key may open: of a move that is not confirmed nobody knows whether it was carried out. */
export function unitsOf({ unitName, pendingChange }: KeyRow): string[] {
  return [unitName, ...(pendingChange ? [pendingChange.unitName] : [])]
}

/** No dead key opens. `more` finds keys of whose cards nobody knows the serial number. */
export async function expectCovered(
  { rows }: PlayedKeys,
  openings: readonly Opening[],
  more: (unitName: string) => Promise<readonly KeyRow[]> = async () => [],
): Promise<void> {
  for (const { uid, unitName } of openings) {
    const known = [...(await rows(`filter[uid]=${uid}`)), ...(await more(unitName))]
    const isCovered = known.some((row) => unitsOf(row).includes(unitName) && row.mayOpen)
    assert.ok(isCovered, `${uid} opens ${unitName}, and its keys are ${JSON.stringify(known)}`)
  }
}

/** Nothing is left half made; what is live is in a hand and opens, and what is proven dead may not. */
export function expectLive(rows: readonly KeyRow[], expectInHand: (row: KeyRow) => void): void {
  for (const row of rows) {
    assert.ok(row.status !== 'pendingWrite', `a key is left half made: ${JSON.stringify(row)}`)
    if (row.status === 'live') expectInHand(row)
    if (row.proof !== null) assert.equal(row.mayOpen, false)
  }
}
