import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { it, type TestContext } from 'node:test'
import driver from '../../../../drivers/ifd510/driver.ts'
import {
  reader,
  type SimulatedIfd510,
  simulatedReports,
} from '../../../../drivers/ifd510/simulator/simulator.ts'
import { bay } from '../../../../src/devices/bay/bay.ts'
import type { CardEncoder } from '../../../../src/devices/capability.ts'
import { DeviceFault } from '../../../../src/devices/fault.ts'
import type { FeatureReports } from '../../../../src/devices/hid/hid-reports.ts'
import { pluggedIn } from '../../../../src/devices/wires/plugged-in.ts'
import { openWire, parseAddress } from '../../../../src/devices/wires/wire.ts'
import { systemClock } from '../../../../src/host/clock.ts'
import { classicCard, ultralightCard } from '../../../../src/simulators/devices/simulated-card.ts'
import { childrenOf } from '../../../processes.ts'
import { type Plugged, plugIn } from './usb-device.ts'

/** Run by real-usb.test.ts on a machine with sockets that a program can plug devices into. */

const key = new Uint8Array(6).fill(0xff)
const clock = systemClock
const block = Uint8Array.from({ length: 16 }, (_, index) => 0xf0 ^ index)
const never = new Promise<never>(() => {})

/** A reader with a new card, and how what USB carries to it is tampered with. */
function made(options: Partial<SimulatedIfd510> = {}) {
  const card = classicCard(Uint8Array.of(0x66, 0xcf, 0x4d, 0xc2))
  const cards = [card]
  const played = reader({ clock, antenna: { cards: () => cards }, ...options })
  const simulated = simulatedReports(played, () => {})
  const usb: FeatureReports = { ...simulated }
  return { card, cards, played, simulated, usb }
}

async function plugged(t: TestContext, reports: FeatureReports, port = 0): Promise<Plugged> {
  const device = await plugIn(reports, { port })
  await eventually(() => assert.ok(existsSync(`/sys/bus/usb/devices/1-${port + 1}/1-${port + 1}:1.0`)))
  t.after(async () => {
    device.unplug()
    await eventually(() => assert.ok(!existsSync(`/sys/bus/usb/devices/1-${port + 1}`)))
  })
  return device
}

async function eventually<T>(holds: () => T | Promise<T>): Promise<T> {
  for (let left = 200; ; left--) {
    try {
      return await holds()
    } catch (error) {
      if (left === 0) throw error
      await clock.sleep(50)
    }
  }
}

/** The library hears of what was plugged in or pulled only when the machine has come round to it. */
function open(t: TestContext, text = 'hid://ffff:0035') {
  return eventually(async () => {
    const encoder = await openNow(t, text)
    try {
      await encoder.identify()
      return encoder
    } catch (error) {
      encoder.close()
      await encoder.wireClosed
      throw error
    }
  })
}

async function openNow(
  t: TestContext,
  text = 'hid://ffff:0035',
): Promise<CardEncoder & { wireClosed: Promise<void> }> {
  const parsed = parseAddress(text)
  assert.ok('address' in parsed)
  const wire = await openWire(parsed.address, { clock, checkMs: 50 })
  const encoder = driver.open(wire, { model: 'ifd510', patience: 1, options: {}, clock })
  const wireClosed = new Promise<void>((resolve) => wire.once('close', resolve))
  t.after(async () => {
    encoder.close()
    await wireClosed
  })
  return { ...encoder, wireClosed }
}

/** How often the process came round to other things meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  const timer = clock.setInterval(() => turns++, 5)
  await work
  timer.cancel()
  return turns
}

for (const answers of ['whole', 'short'] as const)
  it(`reads and writes a card over USB, answers being ${answers}`, async (t) => {
    const { card, cards, played, usb } = made({ answers })
    await plugged(t, usb)
    const encoder = await open(t)
    assert.deepEqual(
      readdirSync('/dev').filter((name) => name.startsWith('hidraw')),
      [],
      'there is no other way to it',
    )
    assert.equal((await encoder.identify()).firmware, played.version)
    assert.deepEqual(await encoder.find(), { uid: card.uid, format: 'Mifare1K' })
    assert.equal(await encoder.authenticate(1, 'A', key), true)
    await encoder.writeBlock(4, block)
    assert.deepEqual(await encoder.readBlock(4), block)
    assert.deepEqual(card.memory.subarray(64, 80), block)
    cards[0] = ultralightCard(Uint8Array.of(0x04, 0xe1, 0x41, 0x12, 0x4c, 0x28, 0x80))
    assert.deepEqual(await encoder.find(), { uid: cards[0].uid, format: 'MifareUltralight' })
    await encoder.writePage(4, block.subarray(0, 4))
    assert.deepEqual((await encoder.readPages(4)).subarray(0, 4), block.subarray(0, 4))
    await encoder.signal('good')
    await encoder.off()
  })

it('belongs to the group of the service', async (t) => {
  await plugged(t, made().usb)
  const [, group] = /^nightporter:[^:]*:(\d+)/m.exec(readFileSync('/etc/group', 'utf8')) ?? []
  await eventually(() => {
    const number = (name: string) => readFileSync(`/sys/bus/usb/devices/1-1/${name}`, 'utf8').trim()
    const node = `/dev/bus/usb/${number('busnum').padStart(3, '0')}/${number('devnum').padStart(3, '0')}`
    const { gid, mode } = statSync(node)
    assert.deepEqual([gid, mode & 0o777], [Number(group), 0o660])
  })
})

it('asks the card when USB fails to carry the answer to a write', async (t) => {
  const { card, simulated, usb } = made()
  await plugged(t, usb)
  const encoder = await open(t)
  await encoder.find()
  await encoder.authenticate(1, 'A', key)
  let asked = 0
  usb.set = (report) => {
    if (report[11] === 0x21) asked++
    return simulated.set(report)
  }
  usb.get = async (...of) => {
    if (asked !== 1) return simulated.get(...of)
    asked++
    throw new Error('stall')
  }
  await encoder.writeBlock(4, block)
  assert.deepEqual({ asked, held: card.memory.subarray(64, 80) }, { asked: 2, held: block })
})

it('does other things while a dead device holds up the library', async (t) => {
  const { usb } = made()
  await plugged(t, usb)
  const encoder = await open(t)
  await encoder.find()
  usb.set = () => never
  const turns = await turnsDuring(assert.rejects(encoder.find(), { code: 'encoder-timeout' }))
  assert.ok(turns > 50, `${turns} turns`)
})

it('does other things while a device that says nothing holds up the opening', async (t) => {
  const { usb } = made()
  await plugged(t, usb)
  const mute = await plugIn(usb, { port: 1, isMute: true })
  await clock.sleep(300)
  const opening = open(t)
  const turns = await turnsDuring(clock.sleep(1_000))
  mute.unplug()
  assert.ok(turns > 50, `${turns} turns`)
  assert.equal((await (await opening).identify()).model, 'IFD510')
})

it('is out of reach in words, and says which there are', async (t) => {
  const refused = (text: string, why: RegExp) => eventually(() => assert.rejects(openNow(t, text), why))
  await refused('hid://ffff:0035', /hid:\/\/ffff:0035 is not there: the device is unplugged/)
  await plugged(t, made().usb)
  await plugged(t, made({ version: 'the other' }).usb, 1)
  await refused('hid://ffff:0035', /is any of (1-1, 1-2|1-2, 1-1): say which with \?port=1-/)
  await refused('hid://ffff:0035?port=1-3', /port=1-3 is not there.*1-1/)
  const encoder = await open(t, 'hid://ffff:0035?port=1-2')
  assert.equal((await encoder.identify()).firmware, 'the other')
  await assert.rejects(openNow(t, 'hid://ffff:0035?port=1-2'), /cannot be opened: it is in use/)
})

it('is listed, though there is no hidraw for it', async (t) => {
  await plugged(t, made().usb)
  const [listed] = (await pluggedIn()).filter(({ transport }) => transport === 'hid')
  assert.deepEqual([listed?.path, listed?.usb?.product], ['hid://ffff:0035?port=1-1', 'USB Reader'])
  assert.ok(listed && statSync(listed.node).isCharacterDevice())
  await plugged(t, made({ version: 'the other' }).usb, 1)
  const both = (await pluggedIn()).filter(({ transport }) => transport === 'hid').map(({ path }) => path)
  assert.deepEqual(both, ['hid://ffff:0035?port=1-1', 'hid://ffff:0035?port=1-2'])
  const encoder = await open(t, both[1]!)
  assert.equal((await encoder.identify()).firmware, 'the other')
})

for (const signal of ['SIGSEGV', 'SIGKILL'] as const)
  it(`is in doubt about a write in which its process gets a ${signal}, and is opened again`, async (t) => {
    const { card, simulated, usb } = made()
    await plugged(t, usb)
    const encoder = await open(t)
    await encoder.find()
    await encoder.authenticate(1, 'A', key)
    const [pid = 0, ...others] = childrenOf(process.pid)
    assert.deepEqual(others, [])
    usb.get = async (...of) => {
      if (card.memory[64] !== block[0]) return simulated.get(...of)
      process.kill(pid, signal)
      return never
    }
    await assert.rejects(encoder.writeBlock(4, block), {
      code: 'encoder-timeout-writing',
      outcomeUnknown: true,
    })
    await encoder.wireClosed
    assert.equal(existsSync(`/proc/${pid}`), false)
    usb.get = simulated.get
    const again = await open(t)
    await again.find()
    await again.authenticate(1, 'A', key)
    assert.deepEqual(await again.readBlock(4), block)
    assert.deepEqual(card.memory.subarray(64, 80), block)
  })

it('is opened in the end when it is plugged in as the library is loaded', async (t) => {
  const failures: string[] = []
  for (let round = 0; round < 6; round++) {
    // A process takes a second or two here until its library looks at what is there.
    const opening = openNow(t).catch((error: Error) => void failures.push(error.message))
    await clock.sleep(round * 300)
    const device = await plugIn(made().usb)
    const atOnce = await opening
    atOnce?.close()
    await atOnce?.wireClosed
    const encoder = await open(t)
    encoder.close()
    await encoder.wireClosed
    device.unplug()
    await eventually(() => assert.ok(!existsSync('/sys/bus/usb/devices/1-1')))
  }
  const crashes = failures.filter((message) => /ended by itself/.test(message))
  t.diagnostic(
    `${crashes.length} crashes of the library in ${failures.length} failures: ${crashes.join('; ')}`,
  )
  await eventually(() => assert.deepEqual(childrenOf(process.pid), []))
})

it('closes its wire when it is unplugged at rest', async (t) => {
  const device = await plugged(t, made().usb)
  const encoder = await open(t)
  await encoder.identify()
  device.unplug()
  await encoder.wireClosed
  await assert.rejects(encoder.find(), { code: 'encoder-offline' })
})

it('does not know what became of a write in which it was unplugged, and is found again', async (t) => {
  const { card, simulated, usb } = made()
  t.after(() => device.unplug())
  let device = await plugIn(usb)
  const parsed = parseAddress('hid://ffff:0035')
  assert.ok('address' in parsed)
  const { address } = parsed
  const kept = bay<CardEncoder>({
    name: 'desk',
    async open(signal) {
      const wire = await openWire(address, { clock, checkMs: 50, signal })
      return { wire, device: driver.open(wire, { model: 'ifd510', patience: 1, options: {}, clock }) }
    },
    started: async (encoder) => void (await encoder.identify()),
    clock,
    backoff: { firstMs: 50, maxMs: 200 },
    offlineCode: 'encoder-offline',
  })
  t.after(() => kept.close())
  await kept.ready(20_000)
  usb.get = async (...of) => {
    if (card.memory[64] !== block[0]) return simulated.get(...of)
    device.unplug()
    return never
  }
  const written = kept.use(async (encoder) => {
    await encoder.find()
    await encoder.authenticate(1, 'A', key)
    await encoder.writeBlock(4, block)
  })
  await assert.rejects(written, (fault) => {
    assert.ok(fault instanceof DeviceFault)
    assert.deepEqual([fault.code, fault.outcomeUnknown], ['encoder-timeout-writing', true], fault.message)
    return true
  })
  await eventually(() => assert.equal(kept.state(), 'offline'))
  usb.get = simulated.get
  device = await plugIn(usb)
  await kept.ready(20_000)
  const held = await kept.use(async (encoder) => {
    await encoder.find()
    await encoder.authenticate(1, 'A', key)
    return encoder.readBlock(4)
  })
  assert.deepEqual(held, block)
})
