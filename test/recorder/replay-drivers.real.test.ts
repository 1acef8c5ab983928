import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { it, type TestContext } from 'node:test'
import crt571Antenna from '../../drivers/crt571/antenna-driver.ts'
import crt571 from '../../drivers/crt571/driver.ts'
import { machine, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import ifd510 from '../../drivers/ifd510/driver.ts'
import { reader, simulateIfd510 } from '../../drivers/ifd510/simulator/simulator.ts'
import k720 from '../../drivers/k720/driver.ts'
import { machine as k720Machine } from '../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../drivers/k720/simulator/simulator.ts'
import { branch } from '../../src/devices/branch.ts'
import type { Driver } from '../../src/devices/driver.ts'
import { transportKey } from '../../src/devices/mifare-classic.ts'
import { backgroundWork } from '../../src/host/background-work.ts'
import type { Clock } from '../../src/host/clock.ts'
import { flightRecorder, type Recorder } from '../../src/recorder/recorder.ts'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'
import { run } from '../cli/command-line.ts'
import { testClock } from '../test-clock.ts'

const patience = 0.1
const cards = () => blankCards(3, 'drivers', 'classic')
const ends = (work: Promise<unknown>) => work.catch(() => {})
const data = new Uint8Array(16).fill(0x11)

function about(driver: Driver) {
  const { name, capability } = driver
  return { bay: name, capability, driver: name, model: name, path: 'simulated', patience, options: {} }
}

/** What is recorded of some work is lived through again. Gives what the replay said. */
async function replayed(
  t: TestContext,
  work: (recorder: Recorder, clock: Clock) => Promise<void>,
): Promise<string> {
  const clock = testClock()
  const folder = mkdtempSync(join(tmpdir(), 'replay-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const recorder = await flightRecorder({
    data: folder,
    bytes: 1 << 22,
    clock,
    background: backgroundWork({ clock, failed: assert.fail }),
    stopped: assert.fail,
    resumed: () => {},
  })
  await work(recorder, clock)
  const file = join(folder, 'all.jsonl')
  writeFileSync(file, await buffer(recorder.read()))
  await recorder.close()
  const { code, stdout, stderr } = await run('replay', file)
  assert.equal(code, 0, stdout + stderr)
  return stdout
}

it('a dispenser that is polled until it has moved is replayed', async (t) => {
  const said = await replayed(t, async (recorder, clock) => {
    const box = k720Machine({ clock, stack: cards(), pace: 0.1 })
    const [near, far] = duplexPair()
    void simulateK720(far, box)
    const line = recorder.line(about(k720), k720.mask, near)
    const device = line.calls(k720.open(line.wire, { model: 'k720', patience, options: {}, clock }))
    await device.initialise('leave')
    await device.move('encoder')
    box.misbehaviours.push({ at: 'move-front', does: 'refuse', code: '0020' })
    await ends(device.move('front'))
    await ends(device.initialise('leave'))
    box.misbehaviours.push({ at: 'move-capture', does: 'silence' }, { at: 'status', does: 'garble' })
    await ends(device.move('capture'))
    await ends(device.status())
  })
  assert.match(said, /dispenser-jam, 0020/)
})

it('a reader with HID reports is replayed', async (t) => {
  const said = await replayed(t, async (recorder, clock) => {
    const [card] = cards()
    const desk = reader({ clock, antenna: { cards: () => [card!] }, emptyFirst: 2 })
    const [near, far] = duplexPair()
    void simulateIfd510(far, desk)
    const line = recorder.line(about(ifd510), ifd510.mask, near)
    const device = line.calls(ifd510.open(line.wire, { model: 'ifd510', patience, options: {}, clock }))
    await device.identify()
    await device.find()
    assert.equal(await device.authenticate(1, 'A', transportKey), true)
    await device.writeBlock(4, data)
    assert.deepEqual(await device.readBlock(4), data)
    // Not silence: how often a driver asks until its time is over is a matter of milliseconds.
    desk.misbehaviours.push({ at: 'readBlock', does: 'refuse', code: '84' })
    await ends(device.readBlock(4))
    desk.misbehaviours.push({ at: 'writeBlock', does: 'garble' })
    await ends(device.find())
    await ends(device.authenticate(1, 'A', transportKey))
    await ends(device.writeBlock(4, data))
  })
  assert.match(said, /encoder-timeout/)
})

it('two devices on one line are replayed together', async (t) => {
  const said = await replayed(t, async (recorder, clock) => {
    const box = machine({ clock, stack: cards() })
    const [near, far] = duplexPair()
    void simulateCrt571(far, box)
    const trunk = recorder.line(about(crt571), crt571.mask, near)
    const dispenser = trunk.calls(crt571.open(trunk.wire, { model: 'crt571', patience, options: {}, clock }))
    const joined = recorder.line(about(crt571Antenna), crt571Antenna.mask, branch(trunk.wire))
    const antenna = joined.calls(
      crt571Antenna.open(joined.wire, { model: crt571Antenna.name, patience, options: {}, clock }),
    )
    await dispenser.initialise('leave')
    await antenna.identify()
    await dispenser.move('encoder')
    await antenna.find()
    assert.equal(await antenna.authenticate(1, 'A', transportKey), true)
    await antenna.writeBlock(4, data)
    assert.deepEqual(await antenna.readBlock(4), data)
    await antenna.off()
    await dispenser.move('capture')
    await ends(antenna.find())
  })
  assert.match(said, /writeBlock\(4, 0000/)
  assert.match(said, /move\("capture"\)/)
})
