import assert from 'node:assert/strict'
import type { CallName } from '../../drivers/ttlock/protocol.ts'
import type { Misbehaviour } from '../../src/simulators/devices/misbehaviour.ts'
import { said } from './faults-played.ts'
import { until } from './house-with-doors.ts'
import type { HouseWithPins } from './house-with-pins.ts'

/** What a PIN can meet between the box and the lock, as it strikes one call of the cloud. */
export const pinFaults = {
  'gateway offline': ({ cloud }) => gateways(cloud, { online: false }),
  'gateway busy': ({ cloud }) => gateways(cloud, { busy: true }),
  'no answer, nothing done': strikes('silence'),
  'no answer, all done': strikes('late'),
  'no answer, all done, and nobody can look': (house, call) => {
    strikes('late')(house, call)
    strikes('refuse', 'http500')(house, 'listPasscodes')
  },
  'code taken': strikes('refuse', '-3007'),
  'lock full': strikes('refuse', '-3009'),
  'failed without a reason': strikes('refuse', '1'),
  'token over': ({ cloud }) => cloud.tokens.clear(),
  'account refused': ({ cloud }) => {
    cloud.tokens.clear()
    cloud.refreshTokens.clear()
    cloud.password = 'changed'
  },
  'HTTP 500, nothing done': strikes('refuse', 'http500'),
  'HTTP 500, all done': strikes('garble', 'http500'),
  'a web page, nothing done': strikes('refuse', 'html'),
  'a web page, all done': strikes('garble', 'html'),
  'dropped, nothing done': strikes('close'),
  'dropped, all done': strikes('garble', 'drop'),
} as const satisfies Record<string, (house: HouseWithPins, call: CallName) => void>
export type PinFault = keyof typeof pinFaults

function strikes(does: Misbehaviour['does'], code?: string) {
  return ({ cloud }: HouseWithPins, at: CallName) =>
    void cloud.misbehaviours.push({ at, does, ...(code !== undefined && { code }) })
}

function gateways({ gateways: all }: HouseWithPins['cloud'], state: { online?: false; busy?: true }): void {
  for (const each of all.values()) Object.assign(each, state)
}

/** All is well again, and so long since that a password that was refused is tried anew. */
export function healPins({ cloud, clock }: HouseWithPins): void {
  clock.advance(11_000)
  cloud.misbehaviours.length = 0
  cloud.password = 'letmein'
  for (const each of cloud.gateways.values()) Object.assign(each, { online: true, busy: false })
}

export interface PinKey {
  id: string
  pin: string
  unitName: string
  status: string
  mayOpen: boolean
  proof: string | null
  validFrom: string
  validUntil: string
}

/** The keys of a stay with their PINs, the newest last. */
export async function pinKeys(house: HouseWithPins, stay: string): Promise<PinKey[]> {
  const { body } = await house.ask('GET', `/api/v2/access/keys?filter[externalId]=${stay}&page[size]=100`)
  return body.data.map(({ id, attributes }: { id: string; attributes: object }) => ({ id, ...attributes }))
}

/** The codes that open a door at a moment, as the locks themselves know them. */
export function openingAt(house: HouseWithPins, unitName: string, at: number): string[] {
  const lock = house.cloud.locks.find(({ lockId }) => lockId === (unitName === '301' ? 1001 : 1002))
  return [...(lock?.memory.keys() ?? [])].filter((pin) => house.opens(unitName, pin, at))
}

/**
 * What the store says of a stay's keys is true at the doors: what opens may, and is not said to be over by then; what is
 * proven dead does not open; what is live does, at a moment of its own window.
 */
export async function expectTrueAtDoors(
  house: HouseWithPins,
  stay: string,
  moments: readonly number[],
): Promise<void> {
  for (const { pin, unitName, status, mayOpen, proof, validFrom, validUntil } of await pinKeys(house, stay)) {
    const others = (await pinKeys(house, stay)).filter(
      (each) => each.pin === pin && each.unitName === unitName,
    )
    for (const at of moments) {
      if (unitName === null || !house.opens(unitName, pin, at)) continue
      const covered = others.some(
        (each) => each.mayOpen && Date.parse(each.validFrom) <= at && at < Date.parse(each.validUntil),
      )
      assert.ok(covered, `a PIN opens ${unitName}, and its key is ${status}, over ${validUntil}`)
    }
    if (proof !== null) assert.equal(mayOpen, false)
    const [first] = moments
    if (status === 'live' && first !== undefined && Date.parse(validFrom) <= first)
      assert.ok(house.opens(unitName, pin, first), 'a live PIN does not open')
  }
}

/** The answer to what went wrong and the status of the stay's newest key then: one cell of the grid. */
export async function pinCell(
  house: HouseWithPins,
  stay: string,
  reply: Parameters<typeof said>[0],
): Promise<string> {
  return `${said(reply)} ${(await pinKeys(house, stay)).at(-1)?.status ?? 'none'}`
}

/** The stay has exactly one code that opens, which is that of its one living key, at this unit alone. */
export async function expectOneCode(
  house: HouseWithPins,
  stay: string,
  unitName: string,
  { before, at }: { before: ReadonlySet<string>; at: number },
): Promise<PinKey> {
  const fresh = (unit: string) => openingAt(house, unit, at).filter((pin) => !before.has(pin))
  const other = unitName === '301' ? '302' : '301'
  await until(
    'an end at the other unit',
    () => fresh(other),
    (codes) => codes.length === 0,
  )
  const living = (await pinKeys(house, stay)).filter(({ status }) => status === 'live')
  assert.equal(living.length, 1)
  assert.deepEqual(fresh(unitName), [living[0]!.pin])
  assert.equal(living[0]!.unitName, unitName)
  return living[0]!
}

/** Every code that opens anything now. */
export function knownCodes({ cloud }: HouseWithPins): Set<string> {
  return new Set(cloud.locks.flatMap(({ memory }) => [...memory.keys()]))
}
