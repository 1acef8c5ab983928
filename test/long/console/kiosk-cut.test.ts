import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { simulatePayline, terminal } from '../../../drivers/payline/simulator/simulator.ts'
import { simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import { simulatedLobby } from '../../../src/demo/simulated-lobby.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { type ApplianceChild, applianceChild } from '../../access/appliance-child.ts'
import { until } from '../../access/house-with-doors.ts'
import { sockets } from '../../access/sockets.ts'
import { browserOnDisk, withoutBrowser } from '../../console/browser.ts'
import {
  bookings,
  type Guest,
  guestOn,
  type KioskHouse,
  keptOrders,
  tall,
} from '../../console/kiosk-house.ts'
import { processes } from '../../processes.ts'

/** The box, its devices and the browser of the kiosk are three parts, each of which can lose its power alone. */
describe('a power cut at a kiosk', { skip: withoutBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-kiosk-'))
  const profile = join(folder, 'browser')
  const lobby = simulatedLobby({ clock: systemClock, pocket: null, cards: 60, takenAfterMs: 500, pace: 0 })
  const { dispenser, encoder } = lobby
  const till = terminal()
  const plugs = sockets()
  const program = new URL('./kiosk-process.ts', import.meta.url)
  let box: ApplianceChild
  let arrival: KioskHouse['arrival']

  before(async () => {
    box = await applianceChild(join(folder, 'data'), program)
    const devices = {
      dispensers: { driver: 'crt571', path: await plugs.plugIn((wire) => simulateCrt571(wire, dispenser)) },
      'access-controllers': {
        driver: 'twn4',
        path: await plugs.plugIn((wire) => simulateTwn4(wire, encoder)),
      },
    }
    for (const [kind, device] of Object.entries(devices)) {
      const { body } = await box.ask('GET', `/api/config/v1/${kind}`)
      const path = `/api/config/v1/${kind}/${body.data[0].id}`
      const changed = await box.ask('PATCH', path, { body: { device: { ...device, patience: 0.3 } } })
      assert.equal(changed.status, 204, changed.text)
    }
    const path = await plugs.plugIn((wire) => simulatePayline(wire, till))
    const { body } = await box.ask('GET', '/api/config/v1/payment-terminals')
    const one = `/api/config/v1/payment-terminals/${body.data[0].id}`
    assert.equal((await box.ask('PATCH', one, { body: { path } })).status, 204)
    arrival = await bookings(box.ask)
    // A browser writes the cookie of its station to the disk when it is closed, or half a minute later.
    const { tab } = await kiosk()
    await tab.page.getByText('Touch to check in').waitFor()
    await tab.close()
  })
  after(async () => {
    await box.stop()
    plugs.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function kiosk(): Promise<Guest> {
    const tab = await browserOnDisk(profile, `${box.url()}/kiosk`, tall)
    return guestOn(tab, { during: (work) => work })
  }

  /** From the start to the order of the card. */
  async function ordered(guest: Guest, number: string): Promise<void> {
    await guest.entersNumber(number)
    const asked = guest.page.waitForRequest(/\/key$/)
    await guest.wantsKey()
    await asked
  }

  /** The guest has one card, and it is the only one that anybody has. */
  async function hasOneCard(guest: Guest, stayId: string): Promise<void> {
    await guest.reads('Enjoy your stay.')
    const { body } = await box.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}&filter[status]=live`)
    assert.equal(body.data.length, 1, 'live keys')
    assert.equal(dispenser.taken.length, 1, 'cards in guests hands')
    dispenser.taken.length = 0
  }

  const cuts = [
    ['while a card is fed', dispenser, 'move-encoder', 0],
    ['while the card is written', encoder, 'writeBlock', 1],
    ['while the card is read back', encoder, 'sak', 2],
    ['on the way to the gate', dispenser, 'move-front', 0],
    ['while the guest is waited for', dispenser, 'status', 3],
  ] as const

  for (const [moment, { misbehaviours }, at, skip] of cuts)
    it(`of the box ${moment} leaves the guest one card`, async () => {
      const { number, stayId } = await arrival()
      const guest = await kiosk()
      await guest.page.getByText('Touch to check in').waitFor()
      const then = box.kill
      misbehaviours.push({ at, skip, does: 'pass', then })
      await ordered(guest, number)
      await box.ended()
      misbehaviours.length = 0
      await box.reboot()
      await hasOneCard(guest, stayId)
      await guest.tab.close()
    })

  for (const [moment, { misbehaviours }, at, skip] of [cuts[0], cuts[2], cuts[4]])
    it(`of the screen ${moment} leaves the guest one card`, async () => {
      const { number, stayId } = await arrival()
      const first = await kiosk()
      await first.page.getByText('Touch to check in').waitFor()
      const cut = new Promise<void>((resolve) => {
        const then = () => {
          killBrowser()
          resolve()
        }
        misbehaviours.push({ at, skip, does: 'pass', then })
      })
      await Promise.all([cut, ordered(first, number).catch(() => {})])
      misbehaviours.length = 0
      const second = await kiosk()
      await hasOneCard(second, stayId)
      await second.presses('Done')
      assert.deepEqual(await keptOrders(second.page), [])
      await second.tab.close()
    })

  it('of the screen whose guest has left shows the next one nothing', async () => {
    const { number } = await arrival()
    const first = await kiosk()
    await first.page.getByText('Touch to check in').waitFor()
    await first.page.route(/\/key$/, () => killBrowser())
    await ordered(first, number).catch(() => {})
    await until(
      'the end of the browser',
      () => browserProcesses().length,
      (left) => left === 0,
    )
    await box.reboot(150_000)
    const second = await kiosk()
    await second.reads('Touch to check in')
    await pause(1_000)
    assert.doesNotMatch(await second.page.innerText('body'), /making your key/)
    assert.equal(dispenser.taken.length, 0)
    await second.tab.close()
  })

  /** A guest at the payment terminal, beside a screen that has just lost its power. */
  async function cutAtTerminal(): Promise<string> {
    const { number, stayId } = await arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
    const guest = await kiosk()
    await guest.page.getByText('Touch to check in').waitFor()
    till.guest = 'wait'
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.presses('Pay here by card')
    await guest.reads('Please follow the payment terminal')
    await until(
      'the terminal to wait',
      async () => till.waiting.size,
      (count) => count === 1,
    )
    await cutScreen()
    return stayId
  }

  async function cutScreen(): Promise<void> {
    killBrowser()
    await until(
      'the end of the browser',
      () => browserProcesses().length,
      (left) => left === 0,
    )
  }

  async function recorded(stayId: string): Promise<number> {
    return (await box.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)).body.data.length
  }

  /** Lets the guest decide at the terminal, and waits until the box knows it. */
  async function decides(stayId: string, guest: 'pay' | 'refuse'): Promise<void> {
    till.decide(guest)
    await until(
      'the end of the payment',
      async () =>
        (await box.ask('GET', `/api/v2/stays/${stayId}/terminal-payment`)).body.data.attributes.state,
      (state) => state !== 'open',
    )
  }

  it('of the screen while the guest pays leaves the guest the payment and a card', async () => {
    const stayId = await cutAtTerminal()
    await decides(stayId, 'pay')
    const second = await kiosk()
    await hasOneCard(second, stayId)
    assert.equal(await recorded(stayId), 1)
    await second.presses('Done')
    assert.deepEqual(await keptOrders(second.page), [])
    await second.tab.close()
  })

  it('of the screen while the guest pays says that the terminal has refused the payment', async () => {
    const stayId = await cutAtTerminal()
    await decides(stayId, 'refuse')
    const orders = till.payments.size
    const second = await kiosk()
    await second.reads('The payment was not accepted. Nothing was charged by us.')
    await second.page.getByRole('button', { name: 'Pay here by card' }).waitFor()
    assert.deepEqual(
      [await recorded(stayId), till.payments.size],
      [0, orders],
      'no other payment was started',
    )
    assert.deepEqual(await keptOrders(second.page), [])
    await second.tab.close()
  })

  it('of the screen goes on while the terminal waits for the guest, who may still cancel', async () => {
    const stayId = await cutAtTerminal()
    const orders = till.payments.size
    const second = await kiosk()
    await second.reads('Please follow the payment terminal')
    await second.presses('Cancel the payment')
    await second.reads('The payment was canceled. Nothing was charged.')
    assert.deepEqual(
      [await recorded(stayId), till.payments.size],
      [0, orders],
      'no other payment was started',
    )
    assert.deepEqual(await keptOrders(second.page), [])
    await second.presses('Pay here by card')
    await second.reads('Please follow the payment terminal')
    await cutScreen()
    const third = await kiosk()
    await third.reads('Please follow the payment terminal')
    await box.reboot()
    till.decide('pay')
    await hasOneCard(third, stayId)
    assert.equal(await recorded(stayId), 1)
    await third.tab.close()
  })

  it('of the screen whose guest has paid and left shows the next one nothing', async () => {
    const stayId = await cutAtTerminal()
    await decides(stayId, 'pay')
    await box.reboot(150_000)
    const second = await kiosk()
    await second.reads('Touch to check in')
    await until(
      'the payment to be forgotten',
      () => keptOrders(second.page),
      (kept) => kept.length === 0,
    )
    assert.match(await second.page.innerText('body'), /Touch to check in/)
    assert.deepEqual([await recorded(stayId), dispenser.taken.length], [1, 0])
    await second.tab.close()
  })

  const browserProcesses = () => processes().filter(({ pid, state }) => state !== 'Z' && isOfProfile(pid))

  /** Ends every process of the browser, as a power cut does. */
  function killBrowser(): void {
    for (const { pid } of browserProcesses()) process.kill(pid, 'SIGKILL')
  }

  function isOfProfile(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile)
    } catch {
      return false
    }
  }
})
