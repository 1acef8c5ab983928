import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WireAnswer, WireOffer } from '../../../src/pms/adapters/cloudevents/messages/message-data.ts'
import { httpLine, mqttLine, type OpenLine } from './week/line.ts'
import { type Desks, openDesks, otherRoom, room } from './week/two-desks.ts'

/** In which order the house hears and speaks when the line is back. */
const orders: Record<string, (desks: Desks) => Promise<void>> = {
  async 'hears first that the PMS has given it'({ line, ours, theirs, deskGives, pmsGives, listed }) {
    await line.cut()
    await deskGives(ours, room)
    pmsGives(theirs, room)
    await line.mend()
    await listed(2)
  },
  async 'has offered it before it hears'({ pms, line, ours, theirs, deskGives, pmsGives, listed }) {
    await line.cut()
    await deskGives(ours, room)
    // It is given as the offer arrives, and nobody tells of that by himself.
    pms.misbehaviour.notifications.push('lose')
    const { answer } = pms
    pms.answer = (request) => {
      if (request.type === 'pms.reservations.offered') {
        pms.answer = answer
        pmsGives(theirs, room)
      }
      return answer(request)
    }
    await line.mend()
    await listed(2)
  },
}
const [hearsFirst, offersFirst] = Object.keys(orders) as [string, string]

type Whose = 'ours' | 'theirs'
type How = 'accept' | 'Local' | 'Pms'

/** What somebody does about it: in which of the two conflicts, and how. */
const decisions: [string, OpenLine, order: string, Whose, How][] = [
  ['HTTP', httpLine, hearsFirst, 'ours', 'accept'],
  ['HTTP', httpLine, hearsFirst, 'ours', 'Pms'],
  ['HTTP', httpLine, hearsFirst, 'theirs', 'Local'],
  ['HTTP', httpLine, hearsFirst, 'theirs', 'Pms'],
  ['HTTP', httpLine, offersFirst, 'ours', 'Local'],
  ['HTTP', httpLine, offersFirst, 'ours', 'Pms'],
  ['HTTP', httpLine, offersFirst, 'theirs', 'accept'],
  ['HTTP', httpLine, offersFirst, 'theirs', 'Pms'],
  ['MQTT', mqttLine, hearsFirst, 'theirs', 'accept'],
  ['MQTT', mqttLine, offersFirst, 'ours', 'Pms'],
]

describe('a room that two desks have given while there was no line', () => {
  for (const [name, openLine, order, whose, how] of decisions) {
    const title = `is one guest's on both sides after ${how} in the conflict of ${whose}`
    it(`${title}, where the house ${order}, over ${name}`, async (t) => {
      const desks = await openDesks(t, openLine)
      const { ours, theirs } = desks
      await orders[order]!(desks)
      assert.deepEqual(await desks.rooms(), { here: [room, room], there: [null, room] })
      const conflicts = { ours: await desks.open(ours), theirs: await desks.open(theirs) }
      const reasons = [...conflicts.ours, ...conflicts.theirs].map(({ reason }) => reason)
      assert.deepEqual(reasons, ['refused-by-pms', 'double-booked'])
      assert.match(conflicts.ours[0]!.sentence, new RegExp(`Ines .*${room}.*${theirs}`))
      assert.match(conflicts.theirs[0]!.sentence, new RegExp(`Jonas .*${room}`))

      const reply = await desks.decide(conflicts[whose][0]!, how)
      assert.equal(reply.status, 200, reply.text)
      await desks.rest()
      await desks.expectAgreement()
      // In a double booking the report counts until somebody decides: to accept it is to choose the PMS.
      const isOurs = how === 'Local' || (how === 'accept' && whose === 'ours')
      const agreed = isOurs ? [room, null] : [null, room]
      assert.deepEqual(await desks.rooms(), { here: agreed, there: agreed })
    })
  }

  it('is one guest’s without a decision when a desk gives him another, whichever it is', async (t) => {
    const desks = await openDesks(t, httpLine)
    const { ours, theirs } = desks
    await orders[hearsFirst]!(desks)
    await desks.deskGives(ours, otherRoom)
    await desks.rest()
    await desks.expectAgreement()
    assert.deepEqual((await desks.rooms()).here, [otherRoom, room])

    await desks.line.cut()
    await desks.deskGives(ours, null)
    await desks.deskGives(theirs, otherRoom)
    desks.pmsGives(ours, null)
    await desks.line.mend()
    await desks.rest()
    await desks.expectAgreement()
    await desks.line.cut()
    await desks.deskGives(ours, room)
    desks.pmsGives(theirs, room)
    await desks.line.mend()
    await desks.listed(2)
    desks.pmsGives(theirs, otherRoom)
    await desks.rest()
    await desks.expectAgreement()
    assert.deepEqual((await desks.rooms()).there, [room, otherRoom])
  })

  it('is no conflict any more when the desk takes it back before anybody has decided', async (t) => {
    const desks = await openDesks(t, httpLine)
    await orders[offersFirst]!(desks)
    await desks.deskGives(desks.ours, null)
    await desks.rest()
    await desks.expectAgreement()
    assert.deepEqual((await desks.rooms()).here, [null, room])
  })

  it('stays with a guest who is in it, whatever is chosen for another, and is his there too as soon as somebody agrees', async (t) => {
    const desks = await openDesks(t, httpLine)
    const { line, ours, theirs } = desks
    await line.cut()
    await desks.deskGives(ours, room)
    await desks.desk(ours, { status: 'InHouse' })
    desks.pmsGives(theirs, room)
    await line.mend()
    await desks.listed(2)
    const [[mine], [other]] = [await desks.open(ours), await desks.open(theirs)]
    const refusal = await desks.decide(other!, 'Pms')
    assert.equal(refusal.body.errors?.[0].code, 'unit-occupied', refusal.text)
    assert.deepEqual((await desks.rooms()).here, [room, room])
    await desks.decide(mine!, 'accept')
    await desks.rest()
    await desks.expectAgreement()
    assert.deepEqual((await desks.rooms()).there, [room, null])
  })

  it('is one guest’s after a decision where the PMS looks at one offer after the other', async (t) => {
    const desks = await openDesks(t, httpLine)
    const { pms, ours } = desks
    inTurn(pms)
    await orders[hearsFirst]!(desks)
    const [conflict] = await desks.open(ours)
    await desks.decide(conflict!, 'Local')
    await desks.rest()
    await desks.expectAgreement()
    assert.deepEqual((await desks.rooms()).there, [room, null])
  })
})

function inTurn(pms: Desks['pms']): void {
  const { answer } = pms
  pms.answer = async ({ type, data }) => {
    if (type !== 'pms.reservations.offered') return answer({ type, data })
    const answers: WireAnswer[] = []
    for (const offer of (data as { offers: WireOffer[] }).offers) {
      const { reply } = await answer({ type, data: { offers: [offer] } })
      answers.push(...(reply!.data as { answers: WireAnswer[] }).answers)
    }
    return { reply: { type: 'pms.offers.answered', data: { answers } }, deed: null, fault: null }
  }
}
