import assert from 'node:assert/strict'
import { it } from 'node:test'
import driver from '../../../drivers/ifd510/driver.ts'
import { openWire, parseAddress } from '../../../src/devices/wires/wire.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { started } from '../../cli/command-line.ts'

it('nightporter simulate plays an ifd510 whose reports travel over TCP', async (t) => {
  const running = await started(
    /^ifd510 is at/,
    ...['simulate', 'ifd510', '--on', 'tcp:0', '--pace', '0', '--misbehave', 'ifd510:writeBlock=refuse:84'],
  )
  t.after(() => running.stop())
  const said = running.lines.find((line) => line.startsWith('ifd510 is at '))!
  const parsed = parseAddress(said.slice('ifd510 is at '.length))
  assert.ok('address' in parsed)
  const wire = await openWire(parsed.address, { clock: systemClock })
  const encoder = driver.open(wire, { model: 'ifd510', patience: 1, options: {}, clock: systemClock })
  t.after(() => encoder.close())
  assert.equal((await encoder.find())?.format, 'Mifare1K')
  const login = () => encoder.authenticate(1, 'A', new Uint8Array(6).fill(0xff))
  assert.equal(await login(), true)
  await assert.rejects(encoder.writeBlock(4, new Uint8Array(16).fill(7)), { code: 'card-write-protected' })
  await login()
  await encoder.writeBlock(4, new Uint8Array(16).fill(7))
  assert.deepEqual(await encoder.readBlock(4), new Uint8Array(16).fill(7))
})
