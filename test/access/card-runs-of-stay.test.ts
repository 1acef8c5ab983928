import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { guestFound, kioskOf } from '../guest-found.ts'
import { tokenOf } from '../token-of.ts'
import { type HouseWithDoors, houseWithDoors, idle, sampleStay, settledKey } from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
})
after(() => house.stop())
beforeEach(() => idle(house))

interface Run {
  keyId: string
  step: string
  ending: string | null
}

const idIn = ({ path }: { path: string }) => path.split('/').at(-1)!
const runsOf = async (stayId: string, token: string, query = ''): Promise<Run[]> => {
  const path = `/api/v2/access/card-runs/by-stay/${stayId}?sort=-createdAt${query}`
  const { status, body, text } = await house.ask('GET', path, { token })
  assert.equal(status, 200, text)
  return body.data.map(({ attributes }: { attributes: Run }) => attributes)
}
/** A guest in house who gets a card; `wait`: until the guest has it. */
async function card(number: number, wait = true) {
  const stay = await sampleStay(house, number, 'InHouse')
  const stayId = idIn(stay)
  const token = await kioskOf(house.ask, stayId)
  const order = { externalId: stay.externalId, endDate: '2026-06-02' }
  const { status, body, text } = await house.issue(stay.unitName, order, { token })
  assert.equal(status, 201, text)
  if (wait) await settledKey(house, body.data.id)
  return { stayId, token, keyId: String(body.data.id) }
}

describe('the issuances of the cards of a stay', () => {
  it('show a kiosk the card at the gate, and then that the guest has it', async () => {
    const { stayId, token, keyId } = await card(1001, false)
    const [run, ...more] = await runsOf(stayId, token)
    assert.equal(more.length, 0)
    assert.equal(run!.keyId, keyId)
    await settledKey(house, keyId)
    const [after] = await runsOf(stayId, token, '&page[size]=1')
    assert.deepEqual([after!.keyId, after!.step, after!.ending], [keyId, 'ended', 'taken'])
  })

  it('are those of this stay alone, by its id in whatever case', async () => {
    const one = await card(1002)
    const other = await card(1003)
    for (const { stayId, token, keyId } of [one, other])
      for (const id of [stayId, stayId.toUpperCase()]) {
        // The guest may have been away while the other one was served.
        await guestFound(house.ask, token, stayId)
        assert.deepEqual(
          (await runsOf(id, token)).map((run) => run.keyId),
          [keyId],
        )
      }
  })

  it('are those of one machine, where the kiosk asks for its own', async () => {
    const { stayId, token, keyId } = await card(1007)
    const of = (controllerId: string) => runsOf(stayId, token, `&filter[controllerId]=${controllerId}`)
    assert.deepEqual(
      (await of(house.controllerId)).map((run) => run.keyId),
      [keyId],
    )
    assert.deepEqual(await of(stayId), [])
  })

  it('are none before a card was ordered', async () => {
    const stay = await sampleStay(house, 1004, 'InHouse')
    assert.deepEqual(await runsOf(idIn(stay), await kioskOf(house.ask, idIn(stay))), [])
  })

  it('are refused where the guest has given no proof for the stay, and without the scope', async () => {
    const { stayId } = await card(1005)
    const stranger = await sampleStay(house, 1006, 'InHouse')
    const path = `/api/v2/access/card-runs/by-stay/${stayId}`
    for (const [token, code] of [
      [await tokenOf(house.ask, 'kiosk'), 'kiosk-scope'],
      [await kioskOf(house.ask, idIn(stranger)), 'kiosk-scope'],
      [await tokenOf(house.ask, 'housekeeping'), 'scope-required'],
      [await tokenOf(house.ask, 'auditor'), 'scope-required'],
      [await tokenOf(house.ask, 'integrator'), 'scope-required'],
    ] as const) {
      const { status, body } = await house.ask('GET', path, { token })
      assert.deepEqual([status, body.errors[0].code], [403, code])
    }
    assert.equal((await runsOf(stayId, await tokenOf(house.ask, 'frontdesk'))).length, 1)
  })
})
