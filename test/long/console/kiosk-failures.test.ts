import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { blankCards, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { sockets } from '../../access/sockets.ts'
import { withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'
import { noLimits } from '../../no-limits.ts'
import { monday, settableClock } from '../../test-clock.ts'
import { guestsInLanguages, ownType } from './kiosk-guest.ts'
import { languages } from './visit.ts'

const guests = guestsInLanguages()

/** A card lies on the antenna of the machine until the returned function is called. */
function lyingCard({ dispenser }: KioskHouse['lobby']): () => void {
  const { cards } = dispenser
  const own = blankCards(1, null, 'classic')
  dispenser.cards = () => own
  return () => {
    dispenser.cards = cards
  }
}

for (const language of languages)
  describe(`the failures of a kiosk in ${language}`, { skip: withoutBrowser }, () => {
    let house: KioskHouse
    before(async () => {
      house = await kioskHouse()
    })
    after(() => house.stop())
    afterEach(guests.leave)

    const guest = (query = '') => guests.at(house, language, query)
    const misbehave = (device: 'dispenser' | 'encoder', ...wrongs: Misbehaviour[]) =>
      house.lobby.devices[device].misbehaviours.push(...wrongs)
    const change = async (method: string, path: string, body: object = {}) => {
      const { status, text } = await house.ask(method, path, { body })
      assert.ok(status < 300, text)
    }
    it('nothing found', async () => {
      const one = await guest()
      await one.number('ZZ9')
      await one.reads('notFound')
      await one.ends()
    })

    it('several of one name', async () => {
      const profiles = [{ role: 'PrimaryGuest', firstName: 'Eva', lastName: 'Doppelt' }]
      await house.arrival({ profiles })
      const { number } = await house.arrival({ profiles })
      const one = await guest()
      await one.name('DOPPELT')
      await one.reads('enterNumber')
      await one.enter(number)
      await one.key()
      await one.inRoom()
      await one.ends()
    })

    it('a guest without the number, by what is on file', async () => {
      const phoneNumbers = [{ number: '+351 912 345 678', type: 'Mobile' }]
      const profiles = [{ role: 'PrimaryGuest', firstName: 'Eva', lastName: 'Portal', phoneNumbers }]
      await house.arrival({ profiles })
      const one = await guest()
      await one.name('PORTAL')
      await one.reads('enterNumber')
      await one.press('.entry .choices .button:not(.main) >> nth=1')
      await one.reads('enterOnFile')
      await one.enter('5678')
      await one.main()
      await one.press('.entry .choices .button:not(.main)')
      await one.inRoom()
      await one.ends()
    })

    it('a stay that begins later, one that is over, and one that was canceled', async () => {
      const later = await house.arrival({ startDate: '2026-06-02' })
      const past = await house.arrival({ startDate: '2026-05-29', endDate: '2026-05-31' })
      const gone = await house.arrival()
      const path = `/api/v2/reservations/${gone.reservationId}/stays/${gone.stayId}`
      await change('PATCH', path, { status: 'Canceled' })
      const one = await guest()
      await one.number(later.number)
      await one.reads('later', "{ date: longDate('2026-06-02') }")
      for (const [{ number }, row] of [
        [past, 'past'],
        [gone, 'inactive'],
      ] as const) {
        await one.main()
        await one.number(number)
        await one.reads(row)
      }
      await one.ends()
    })

    it('in house already: another card only for who knows number and name', async () => {
      const profiles = [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Gästin' }]
      const { number } = await house.arrival({ profiles })
      const one = await guest()
      await one.finds(number, 'GASTIN')
      await one.key()
      await one.inRoom()
      await one.main()
      await one.finds(number, 'NOBODY')
      await one.reads('notFound')
      await one.press('.controls .button >> nth=-1')
      await one.finds(number, 'GASTIN')
      await one.reads('doYouNeedACard')
      await one.main()
      await one.inRoom()
      await one.ends()
    })

    it('a lost card: a new one when the desk has released the stay', async () => {
      const profiles = [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Gästin' }]
      const { number, stayId } = await house.arrival({ profiles })
      const one = await guest()
      const lost = async () => {
        await one.finds(number, 'GASTIN')
        await one.reads('doYouNeedACard')
        await one.press('.controls .button >> nth=0')
      }
      await one.finds(number, 'GASTIN')
      await one.key()
      await one.inRoom()
      await one.main()
      await lost()
      await one.reads('lostCard')
      await one.hasCode()
      await change('POST', `/api/v2/stays/${stayId}/actions/release`)
      await one.main()
      await lost()
      await one.inRoom()
      const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}&sort=id`)
      assert.deepEqual(
        body.data.map(
          ({ attributes: { original, status } }: { attributes: { original: boolean; status: string } }) =>
            `${original} ${status}`,
        ),
        ['true superseded', 'true live'],
      )
      await one.ends()
    })

    it('a balance that is due', async () => {
      const { number, stayId } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
      const one = await guest()
      await one.finds(number)
      await one.key()
      await one.press('.controls .button:not(.main)')
      await one.reads('toPay', "{ amount: moneyText(10900, 'EUR') }")
      await one.hasCode()
      await change('POST', `/api/v2/stays/${stayId}/actions/release`)
      await one.main()
      await one.finds(number)
      await one.key()
      await one.press('.controls .button:not(.main)')
      await one.inRoom()
      await one.ends()
    })

    it('a room that is not cleaned yet, and one that is out of order', async () => {
      const { units, unitPath } = await ownType(house, 'P')
      await change('PATCH', unitPath, { status: 'Dirty' })
      const { number } = await house.arrival({ units })
      const one = await guest()
      await one.finds(number)
      await one.key()
      await one.reads('preparing')
      await change('PATCH', unitPath, { status: 'OutOfOrder' })
      await one.main()
      await one.finds(number)
      await one.key()
      await one.reads('needsColleague')
      await one.hasCode()
      await one.ends()
    })

    it('a room that became dirty after it was assigned', async () => {
      const { units, unitPath } = await ownType(house, 'C')
      const { number, reservationId, stayId } = await house.arrival({ units })
      const path = `/api/v2/reservations/${reservationId}/stays/${stayId}/unit-assignment`
      assert.equal((await house.ask('POST', path)).status, 200)
      await change('PATCH', unitPath, { status: 'Dirty' })
      const one = await guest()
      await one.finds(number)
      await one.key()
      await one.reads('changed')
      await one.hasCode()
      await one.ends()
    })

    /** A card that goes wrong, and what the guest has read by the time it is in hand. */
    const rows: [string, 'dispenser' | 'encoder', Misbehaviour[]][] = [
      ['moment', 'encoder', [{ at: 'searchTag', does: 'silence' }]],
      ['newCard', 'encoder', [{ at: 'writeBlock', does: 'refuse', code: '0000' }]],
      ['unknownCard', 'encoder', [{ at: 'writeBlock', does: 'silence' }]],
    ]
    for (const [row, device, wrongs] of rows)
      it(`a card that fails: ${row}`, async () => {
        const { number, stayId } = await house.arrival()
        const one = await guest()
        await one.finds(number)
        misbehave(device, ...wrongs)
        await one.key()
        await one.inRoom()
        await one.hasRead(row)
        const keys = await house.ask(
          'GET',
          `/api/v2/access/keys?filter[stayId]=${stayId}&filter[status]=live`,
        )
        assert.equal(keys.body.data.length, 1, 'one live key')
        await one.ends()
      })

    it('a dispenser that is empty', async () => {
      const { number } = await house.arrival()
      const one = await guest()
      await one.finds(number)
      misbehave('dispenser', { at: 'move-encoder', does: 'refuse', code: 'A0' })
      await one.key()
      await one.reads('cannotMake')
      await one.hasCode()
      await one.ends()
    })

    it('a card that nobody takes', async () => {
      const { number, stayId } = await house.arrival()
      const one = await guest()
      await one.finds(number)
      house.lobby.dispenser.takenAfterMs = null
      await one.key()
      await one.reads('notTaken')
      const blocked = await house.ask(
        'GET',
        `/api/v2/access/keys?filter[stayId]=${stayId}&filter[status]=live`,
      )
      assert.equal(blocked.body.data.length, 0, 'the key of the card does not open')
      house.lobby.dispenser.takenAfterMs = 0
      await one.main()
      await one.inRoom()
      await one.ends()
    })

    it('no card on the reader', async () => {
      const plugs = sockets()
      let cards: SimulatedCard[] = []
      const encoder = reader({ clock: house.clock, antenna: { cards: () => cards } })
      const path = await plugs.plugIn((wire) => simulateTwn4(wire, encoder))
      const { body } = await house.ask('GET', '/api/config/v1/access-providers')
      await change('POST', '/api/config/v1/access-controllers', {
        name: 'Desk',
        providerId: body.data[0].id,
        kind: 'encoder',
        keyType: 'keyCard',
        device: { driver: 'twn4', path, patience: 0.2 },
      })
      const { number } = await house.arrival()
      const one = await guest('?controller=Desk')
      await one.finds(number)
      await one.key()
      await one.reads('placeCard')
      cards = blankCards(1, null, 'classic')
      await one.inRoom()
      await one.ends()
      plugs.close()
    })

    it('a card that lies on the reader of the machine', async () => {
      const { number } = await house.arrival()
      const one = await guest()
      await one.finds(number)
      const restore = lyingCard(house.lobby)
      await one.key()
      await one.reads('oneCard')
      restore()
      await one.inRoom()
      await one.ends()
    })

    it('a payment at the terminal: refused, in doubt, and then made', async () => {
      const amount = { currency: 'EUR', amountWithTax: 109 }
      const { number, stayId } = await house.arrival({ amount })
      const { terminal } = house.lobby
      const one = await guest()
      await one.finds(number)
      terminal.guest = 'refuse'
      await one.key()
      await one.main()
      await one.reads('refused')
      await one.hasCode()
      const silent = Array.from({ length: 4 }, () => ({ at: '*', does: 'silence' as const }))
      terminal.misbehaviours.push({ at: 'pay', does: 'late' }, ...silent)
      terminal.guest = 'pay'
      await one.main()
      await one.reads('paymentUnknown')
      await one.hasCode()
      terminal.misbehaviours.length = 0
      await one.main()
      await one.finds(number)
      await one.key()
      await one.inRoom()
      const payments = await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)
      assert.equal(payments.body.data.length, 1, 'charged once')
      await one.ends()
    })

    it('a guest who asks for help, with a code for the desk', async () => {
      const { number, stayId } = await house.arrival()
      const one = await guest()
      await one.finds(number)
      // While the stay is searched for, other buttons are in this place.
      await house.during(one.page.locator('.controls .button.main:not([type=submit])').waitFor())
      await house.during(one.page.locator('.foot .button >> nth=1').click())
      await one.reads('helpAtDesk')
      await one.hasCode()
      const { body } = await house.ask('GET', `/api/v2/hand-overs?filter[stayId]=${stayId}`)
      assert.partialDeepStrictEqual(body.data[0].attributes, {
        step: 'greeting',
        failure: 'guest-asks',
        language,
      })
      await one.ends()
    })

    it('no line to the box, until it is back', async () => {
      const one = await guest()
      await house.during(one.page.locator('.languages').waitFor())
      await one.listens()
      await one.page.context().setOffline(true)
      await one.reads('outOfService')
      await one.page.context().setOffline(false)
      await house.during(one.page.locator('.languages').waitFor())
      await one.ends(/net::ERR_INTERNET_DISCONNECTED/)
    })
  })

describe('a kiosk that searches too often', { skip: withoutBrowser }, () => {
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse({
      clock: settableClock(monday),
      rateLimits: { ...noLimits, search: { quota: 1, seconds: 60 } },
    })
  })
  after(() => house.stop())
  for (const language of languages)
    it(`says so in ${language}`, async () => {
      const one = await guests.at(house, language)
      await one.number('ZZ9')
      await one.reads('notFound')
      await one.main()
      await one.enter('ZZ9')
      await one.reads('tooMany')
      await one.ends()
    })
})
