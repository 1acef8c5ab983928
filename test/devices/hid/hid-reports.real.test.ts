import assert from 'node:assert/strict'
import { Duplex, duplexPair } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { encodeHid, hidMessages, kinds } from '../../../src/devices/hid/hid-messages.ts'
import { type FeatureReports, reportLine, reportWire } from '../../../src/devices/hid/hid-reports.ts'
import { systemClock } from '../../../src/host/clock.ts'

const plenty = 10_000

/** A device whose every report is what it was sent last, and what was asked of it. */
function echo(): FeatureReports & { said: string[] } {
  let last = new Uint8Array(0)
  const said: string[] = []
  return {
    said,
    async set(report) {
      said.push('set')
      last = Uint8Array.from(report)
    },
    async get(id, length) {
      said.push(`get ${id} ${length}`)
      return last.subarray(0, length)
    },
    async close() {
      said.push('close')
    },
  }
}

function lineTo(t: TestContext, device: FeatureReports) {
  const wire = reportWire(device)
  t.after(() => wire.destroy())
  return { wire, line: reportLine(wire, systemClock) }
}

describe('messages of reports', () => {
  const whole = encodeHid({ tag: 7, kind: kinds.report, content: Uint8Array.of(0x48, 0x52, 1, 2) })
  const message = { tag: 7, kind: kinds.report, content: Uint8Array.of(0x48, 0x52, 1, 2) }

  it('are found in pieces of any size', () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      const frames = hidMessages()
      const found = [...frames.push(whole.subarray(0, cut)), ...frames.push(whole.subarray(cut))]
      assert.deepEqual(found, [message])
      assert.equal(frames.restless, false)
    }
  })

  it('are found behind noise, and behind a beginning that was given up', () => {
    const frames = hidMessages()
    const noise = Buffer.from([0x48, 0x48, 0x52, 1, 0x77, 0xff, 0xff, 0x52, 0])
    assert.deepEqual(frames.push(Buffer.concat([noise, whole, whole])), [message, message])
    frames.push(whole.subarray(0, 8))
    assert.equal(frames.restless, true)
    frames.quiet()
    assert.deepEqual(frames.push(whole), [message])
  })

  it('hold no more than the longest', () => {
    const frames = hidMessages()
    const endless = Buffer.from([0x48, 0x52, 0, kinds.report, 0xff, 0xff])
    for (let turn = 0; turn < 1_000; turn++) assert.deepEqual(frames.push(endless), [])
    assert.deepEqual(frames.push(whole), [message])
  })
})

describe('a wire of reports', () => {
  it('asks and is answered', async (t) => {
    const device = echo()
    const { line } = lineTo(t, device)
    assert.deepEqual(await line.set(Uint8Array.of(1, 2, 3), plenty), { value: true })
    assert.deepEqual(await line.get(2, 258, plenty), { value: Uint8Array.of(1, 2, 3) })
    assert.deepEqual(device.said, ['set', 'get 2 258'])
  })

  it('passes on in words what failed', async (t) => {
    const { line } = lineTo(t, { ...echo(), get: () => Promise.reject(new Error('stall')) })
    assert.deepEqual(await line.get(2, 256, plenty), { failed: 'stall' })
  })

  it('takes no late answer for that to a later question, and piles up nothing behind one that is stuck', async (t) => {
    const device = echo()
    const held = Promise.withResolvers<Uint8Array>()
    const { line, wire } = lineTo(t, { ...device, get: () => held.promise })
    assert.equal(await line.get(1, 256, 20), 'late')
    assert.equal(await line.set(Uint8Array.of(9), 20), 'late')
    assert.deepEqual(device.said, [])
    held.resolve(Uint8Array.of(5))
    while (wire.writableLength > 0) await new Promise(setImmediate)
    assert.deepEqual(await line.set(Uint8Array.of(9), plenty), { value: true })
    assert.deepEqual(device.said, ['set'])
  })

  it('closes the device, and says so when that is done', async (t) => {
    const device = echo()
    const closing = Promise.withResolvers<void>()
    const { wire, line } = lineTo(t, { ...device, close: () => closing.promise })
    const asked = line.get(1, 256, plenty)
    line.close()
    assert.equal(await asked, 'gone')
    assert.equal(wire.closed, false)
    closing.resolve()
    await new Promise((resolve) => wire.once('close', resolve))
    assert.equal(await line.set(Uint8Array.of(1), plenty), 'gone')
  })

  it('is gone when the other end goes, and late when it says nothing', async (t) => {
    const [box, machine] = duplexPair()
    const line = reportLine(box, systemClock)
    assert.equal(await line.get(1, 256, 20), 'late')
    const asked = line.get(1, 256, plenty)
    machine.destroy()
    assert.equal(await asked, 'gone')
    const deaf = new Duplex({ read() {}, write() {} })
    t.after(() => deaf.destroy())
    assert.equal(await reportLine(deaf, systemClock).get(1, 256, 20), 'late')
  })
})
