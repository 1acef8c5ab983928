import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import { cache } from '../../image/places.ts'
import { imageFile, withImage } from './built.ts'
import { adapter, lineOf, lobbyDevices, simulated } from './devices.ts'
import { freePort } from './free-port.ts'
import { checkOf, lobbyHotel, pairedAndSetUp } from './hotel.ts'
import { type Machine, machine } from './machine.ts'

const hotel = `${lobbyHotel({ dispenser: lineOf('dispenser'), encoder: lineOf('encoder') })}  - name: Front desk
    lockSystem: Door locks
    device: { driver: ifd510, path: "hid://ffff:0035" }
`

/** The port of the host at which the simulated reader answers. */
const readerPort = await freePort()

interface Controllers {
  data: { id: string; attributes: { name: string; isReady: boolean; reason: string | null } }[]
}

interface MadeKey {
  data: { attributes: { status: string; verified: boolean } }
}

/** A date of the hotel, so many days from today. */
const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv', { timeZone: 'Europe/Lisbon' })

describe('a box with devices', withImage, () => {
  const pocket = join(cache, 'machines', 'pocket')
  const simulators: ChildProcess[] = []
  let box: Machine
  let token = ''

  before(async () => {
    const { options, simulator } = await lobbyDevices(pocket)
    simulators.push(simulator)
    box = await machine('card', { image: imageFile(), devices: options })
    await box.get('/readyz', { status: 200 })
  })
  after(async () => {
    await box?.kill()
    for (const each of simulators) each.kill('SIGKILL')
  })

  const controllers = async () =>
    (await box.ask<Controllers>('GET', '/api/v2/access/controllers', token)).data

  async function untilReady(name: string, isReady = true): Promise<void> {
    let last = {}
    for (const end = Date.now() + 900_000; Date.now() < end; await pause(1_000)) {
      const found = (await controllers()).find(({ attributes }) => attributes.name === name)!.attributes
      if (found.isReady === isReady) return
      last = found
    }
    assert.fail(`${name} is ${JSON.stringify(last)}`)
  }

  /** Makes a card, and repeats it as long as the devices have no time to answer: emulated ones on a busy machine. */
  async function makeCard(controller: string, unitName: string): Promise<void> {
    const wanted = { type: 'keyCard', unitName, original: true, startDate: day(0), endDate: day(1) }
    const { id } = (await controllers()).find(({ attributes }) => attributes.name === controller)!
    const make = () => box.ask<MadeKey>('POST', `/api/v2/access/controllers/${id}/key`, token, wanted)
    for (const end = Date.now() + 900_000; ; await pause(5_000)) {
      const made = await make().catch((error: Error) => error)
      if (made instanceof Error && /-timeout"|"retryAfterSeconds"/.test(made.message) && Date.now() < end)
        continue
      if (made instanceof Error) throw made
      assert.deepEqual([made.data.attributes.status, made.data.attributes.verified], ['live', true])
      return
    }
  }

  async function takenCards(count: number): Promise<string[]> {
    for (const end = Date.now() + 300_000; readdirSync(pocket).length < count && Date.now() < end; )
      await pause(500)
    return readdirSync(pocket).map((name) => join(pocket, name))
  }

  it('is paired by the code of its screen, and set up from one file', async () => {
    token = await pairedAndSetUp(box, hotel)
    await box.shell('while [ -e /run/nightporter/pairing-code ]; do sleep 1; done')
  })

  it('lets no two commits share a block', async () => {
    assert.equal((await checkOf(box, token, 'storage:commits'))?.observedValue, 'new blocks')
  })

  it('opens serial devices as the user of the service', async () => {
    await untilReady('Lobby kiosk')
  })

  it('makes a card whose key is read back, and which opens its door and no other', async () => {
    await makeCard('Lobby kiosk', '101')
    const [card = ''] = await takenCards(1)
    const file = readFileSync(card).toString('base64')
    await box.shell(`echo ${file} | base64 -d >/tmp/card.json; chmod 644 /tmp/card.json`)
    const door = (name: string) =>
      box.attempt(
        `cd /tmp; setpriv --reuid nightporter --regid nightporter --clear-groups /opt/nightporter/nightporter door ${name} --card /tmp/card.json --data /var/lib/nightporter --at ${day(1)}T08:00:00Z`,
      )
    const own = await door('101')
    assert.equal(own.code, 0, own.out + own.err)
    assert.match(own.out, /opens/)
    assert.equal((await door('102')).code, 1)
  })

  it('notices a serial device that is unplugged, and uses it again when it is back', async () => {
    await box.control('device_del', { id: 'dispenser' })
    await untilReady('Lobby kiosk', false)
    await box.control('device_add', adapter('dispenser'))
    await untilReady('Lobby kiosk')
    await makeCard('Lobby kiosk', '102')
    assert.equal((await takenCards(2)).length, 2)
  })

  it('opens a HID reader that is plugged in while it runs, makes a card there, and again after it was out', async () => {
    const program = Buffer.from(await programForGuest()).toString('base64')
    await box.shell(`modprobe vhci_hcd; echo ${program} | base64 -d >/run/usb-reader.mjs`)
    const run = `systemd-run --unit=usb-reader --collect /opt/nightporter/node /run/usb-reader.mjs 10.0.2.2 ${readerPort}`
    for (const unitName of ['103', '104']) {
      // A card lies on it, another one each time.
      const reader = await simulated(['ifd510'], [readerPort])
      simulators.push(reader)
      // The firewall lets out what the configuration names, and this connection stands for a cable.
      await box.shell(`nft insert rule inet nightporter output tcp dport ${readerPort} accept`)
      await box.shell(run)
      await untilReady('Front desk')
      await makeCard('Front desk', unitName)
      await box.shell('systemctl stop usb-reader')
      await untilReady('Front desk', false)
      reader.kill('SIGKILL')
    }
  })

  it('has made no unit fail by all that', async () => {
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
    assert.equal(await box.shell('systemctl show nightporter -P NRestarts'), '0')
  })
})

/** The program that plugs in a reader, as one file. */
async function programForGuest(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'usb-reader.ts')],
    bundle: true,
    write: false,
    minify: true,
    platform: 'node',
    format: 'esm',
  })
  return outputFiles[0]!.contents
}
