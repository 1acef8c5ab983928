import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { crt571 } from '../../../drivers/crt571/device.ts'
import driver from '../../../drivers/crt571/driver.ts'
import { profiles } from '../../../drivers/crt571/protocol.ts'
import { machine, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { testClock } from '../../test-clock.ts'
import { fault } from '../dispenser-contract.ts'
import { isAbout, once, tamperedBench } from './tampered-wire.ts'
import { bytes, commandFrames, hbHdnFrames, replyFrames, serviceFrames } from './vectors.ts'

const clock = testClock()
const hex = (line: string) => line.replaceAll(' ', '').toLowerCase()

describe('crt571', { concurrency: true }, () => {
  it('sends the frames of the manual', async () => {
    const { dispenser, raw } = await tamperedBench({ model: 'crt591', contacts: true, cards: 9 })
    for (const action of ['hold', 'capture', 'leave'] as const) await dispenser.initialise(action)
    for (const to of ['encoder', 'chip', 'front', 'capture', 'encoder', 'eject'] as const)
      await dispenser.move(to)
    await dispenser.entry(true)
    await dispenser.entry(false)
    const sent = new Set(raw)
    for (const [name, line] of Object.entries(commandFrames)) assert.ok(sent.has(hex(line)), name)
    sent.delete('06')
    assert.deepEqual([...sent].sort(), Object.values(commandFrames).map(hex).sort())
  })

  it('sends the HB-HDN its own numbers, and never 33 31, 32 32 or 32 33', async () => {
    const { dispenser, machine, raw } = await tamperedBench({ model: 'hb-hdn' })
    assert.deepEqual(dispenser.positions, ['encoder', 'front', 'hold', 'capture'])
    await dispenser.move('encoder')
    await dispenser.move('front')
    await dispenser.move('hold')
    await dispenser.move('capture')
    await dispenser.entry(true)
    await dispenser.entry(false)
    assert.equal(machine.bin.length, 1)
    for (const [name, line] of Object.entries(hbHdnFrames)) assert.ok(raw.includes(hex(line)), name)
    for (const name of ['entry-off', 'move-encoder', 'move-capture'] as const)
      assert.ok(!raw.includes(hex(commandFrames[name])), name)
  })

  it('lets the machine count its captures where it is told to', async () => {
    const { dispenser, machine, raw } = await tamperedBench({ countsCaptures: true, cards: 9 })
    for (const action of ['hold', 'capture', 'leave'] as const) await dispenser.initialise(action)
    await dispenser.move('encoder')
    await dispenser.move('capture')
    assert.equal(await dispenser.binCount(), 1)
    assert.equal(await dispenser.sensors(), '0000000000')
    await dispenser.binEmptied()
    assert.equal(machine.binCount, 0)
    machine.misbehaviours.push({ at: 'version', does: 'refuse', code: '00' })
    await dispenser.initialise('leave')
    for (const [name, line] of Object.entries(serviceFrames)) assert.ok(raw.includes(hex(line)), name)
  })

  it('leaves the count of a machine alone that was not told to count', async () => {
    const { dispenser, machine, raw } = await tamperedBench()
    machine.binCount = 7
    await dispenser.binEmptied()
    assert.deepEqual([machine.binCount, raw], [7, []])
  })

  it('reads a count of the bin that is no count as an error of the machine', async () => {
    const bench = await tamperedBench()
    bench.tamper.machine = once(isAbout(0xa5, 0x30), () =>
      bytes('F2 00 00 09 50 A5 30 30 32 30 30 30 20 03 2F'),
    )
    await assert.rejects(bench.dispenser.binCount(), fault('vendor-error', true))
  })

  it('reports a bin that is full by its count, until it was emptied', async () => {
    const { dispenser, machine } = await tamperedBench({ countsCaptures: true })
    machine.binCount = 999
    await dispenser.move('encoder')
    await assert.rejects(dispenser.move('capture'), fault('dispenser-bin-full', false, '50'))
    await dispenser.binEmptied()
    assert.equal((await dispenser.move('capture')).card, 'none')
  })

  it('tells with a jam what the sensors show', async () => {
    const { dispenser, machine } = await tamperedBench()
    await dispenser.move('encoder')
    machine.misbehaviours.push({ at: 'move-front', does: 'refuse', code: '10' })
    await assert.rejects(dispenser.move('front'), /its sensors show 0100000000/)
  })

  for (const [model, there] of [
    ['crt571', 'hb-hdn'],
    ['hb-hdn', 'crt571'],
    ['qu-tk-f3', 'hb-hdn'],
    ['hb-hdn', 'qu-tk-f3'],
  ] as const)
    it(`refuses to work a ${there} as a ${model}: the same numbers move cards elsewhere`, async () => {
      const [box, far] = duplexPair()
      void simulateCrt571(far, machine({ clock, model: there }))
      const dispenser = driver.open(box, { model, patience: 1, options: {}, clock })
      await assert.rejects(dispenser.initialise('capture'), fault('unsupported-operation', false))
      dispenser.close()
    })

  it('closes the entry before it presents a card', async () => {
    const { dispenser, machine, sent } = await tamperedBench()
    await dispenser.move('encoder')
    await dispenser.entry(true)
    await dispenser.move('front')
    assert.equal(machine.entry, false)
    assert.ok(sent.lastIndexOf('entry-off') < sent.indexOf('move-front'))
  })

  it('sends no motion for a card that is there already', async () => {
    const { dispenser, sent } = await tamperedBench()
    await dispenser.move('encoder')
    await dispenser.move('hold')
    await dispenser.move('front')
    await dispenser.move('front')
    assert.equal(sent.filter((each) => each.startsWith('move-')).length, 2)
  })

  it('names the contact station after a move to it, and only until the next', async () => {
    const { dispenser } = await tamperedBench({ contacts: true })
    assert.ok(dispenser.positions.includes('chip'))
    await assert.rejects(dispenser.move('chip'), fault('no-card', false))
    await dispenser.move('encoder')
    assert.equal((await dispenser.move('chip')).card, 'chip')
    assert.equal((await dispenser.status()).card, 'chip')
    assert.equal((await dispenser.move('encoder')).card, 'encoder')
  })

  it('tells model, firmware and serial number', async () => {
    const { dispenser } = await tamperedBench()
    assert.deepEqual(await dispenser.initialise('leave'), {
      model: 'CRT-591-M001',
      firmware: 'C591_M001_A_130702 (9V10HRLD2)',
      serialNumber: '59100042',
    })
  })

  it('leaves empty what the machine cannot tell', async () => {
    const { dispenser, machine } = await tamperedBench()
    for (const at of ['version', 'firmware', 'configuration'])
      machine.misbehaviours.push({ at, does: 'refuse', code: '00' })
    machine.misbehaviours.push({ at: 'serial', does: 'refuse', code: '03' })
    assert.deepEqual(await dispenser.initialise('leave'), {
      model: 'CRT-591-M001',
      firmware: 'CRT-591-M001',
      serialNumber: '',
    })
  })

  it('asks to be initialised after the machine was switched on', async () => {
    const { dispenser, machine } = await tamperedBench()
    machine.initialised = false
    await assert.rejects(dispenser.status(), fault('dispenser-reset-required', false, 'B0'))
    await assert.rejects(dispenser.move('encoder'), fault('dispenser-reset-required', false, 'B0'))
    await dispenser.initialise('leave')
    assert.equal((await dispenser.move('encoder')).card, 'encoder')
  })

  const refusals = [
    ['00', 'unsupported-operation', false],
    ['02', 'dispenser-reset-required', false],
    ['12', 'dispenser-jam', true],
    ['13', 'dispenser-jam', true],
    ['14', 'dispenser-jam', true],
    ['16', 'dispenser-jam', true],
    ['40', 'dispenser-jam', true],
    ['41', 'dispenser-motor', false],
    ['43', 'dispenser-jam', true],
    ['45', 'dispenser-jam', true],
    ['50', 'dispenser-bin-full', false],
    ['51', 'dispenser-motor', false],
    ['61', 'vendor-error', true],
    ['A0', 'dispenser-empty', false],
    ['A1', 'dispenser-bin-full', false],
    ['B0', 'dispenser-reset-required', false],
    ['0A', 'dispenser-empty', false],
    ['ZZ', 'vendor-error', true],
  ] as const
  for (const [code, word, outcomeUnknown] of refusals) {
    it(`reads refusal ${code} of a move as ${word}`, async () => {
      const { dispenser, machine } = await tamperedBench()
      await dispenser.move('encoder')
      machine.misbehaviours.push({ at: 'move-capture', does: 'refuse', code })
      await assert.rejects(dispenser.move('capture'), fault(word, outcomeUnknown, code))
    })
  }

  it('reads a negative reply with the head the manuals print', async () => {
    const bench = await tamperedBench()
    bench.tamper.machine = once(isAbout(0x32, 0x32), () => bytes('F2 00 00 05 45 32 32 41 30 03 C0'))
    await assert.rejects(bench.dispenser.move('encoder'), fault('dispenser-empty', false, 'A0'))
  })

  it('keeps an unreadable code in hexadecimal', async () => {
    const { dispenser, machine } = await tamperedBench()
    machine.misbehaviours.push({ at: 'status', does: 'refuse', code: '\x01\x02' })
    await assert.rejects(dispenser.status(), fault('vendor-error', true, '0102'))
  })

  it('calls unknown what its status shows and no document names', async () => {
    const bench = await tamperedBench()
    bench.tamper.machine = once(isAbout(0x31, 0x30), () => bytes('F2 00 00 06 50 31 30 37 39 32 03 9A'))
    assert.deepEqual(await bench.dispenser.status(), { card: 'unknown', stacker: 'unknown', bin: 'full' })
  })

  it('turns away what comes to a full queue', async () => {
    const [box, far] = duplexPair()
    far.resume()
    const dispenser = crt571(box, { model: 'crt571', patience: 1, options: {}, clock })
    const waiting = Array.from({ length: 16 }, () => assert.rejects(dispenser.status()))
    await assert.rejects(dispenser.status(), { code: 'dispenser-offline', message: /waiting for the device/ })
    dispenser.close()
    await Promise.all(waiting)
  })

  it('clears the line of what an earlier user left on it before it says anything else', async () => {
    const [box, far] = duplexPair()
    const said: string[] = []
    far.on('data', (chunk: Uint8Array) => said.push(Buffer.from(chunk).toString('hex')))
    const over = simulateCrt571(far, machine({ clock }))
    far.write(bytes(replyFrames['status 220']))
    const dispenser = driver.open(box, { model: 'crt571', patience: 1, options: {}, clock })
    assert.equal((await dispenser.initialise('leave')).model, 'CRT-591-M001')
    assert.equal(
      said.find((each) => each !== '06'),
      '04',
    )
    dispenser.close()
    far.destroy()
    await over
  })

  it('is not sure of the contact station after a move that came to no reply', async () => {
    const { dispenser, machine } = await tamperedBench({ contacts: true })
    await dispenser.move('encoder')
    await dispenser.move('chip')
    machine.misbehaviours.push({ at: 'move-encoder', does: 'late' })
    await assert.rejects(dispenser.move('encoder'), fault('dispenser-timeout', true))
    assert.equal((await dispenser.status()).card, 'encoder')
  })

  it('does not know what a jam did once it lost sight of the path', async () => {
    const { dispenser, machine } = await tamperedBench()
    machine.misbehaviours.push({ at: 'move-encoder', does: 'late' })
    await assert.rejects(dispenser.move('encoder'), fault('dispenser-timeout', true))
    machine.misbehaviours.push({ at: 'initialise-capture', does: 'refuse', code: '10' })
    await assert.rejects(dispenser.initialise('capture'), fault('dispenser-jam', true, '10'))
  })

  it('has a profile for each of its words', () => {
    assert.deepEqual([driver.name, ...driver.models].sort(), Object.keys(profiles).sort())
  })
})
