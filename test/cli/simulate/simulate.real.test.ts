import assert from 'node:assert/strict'
import { lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import crt571Antenna from '../../../drivers/crt571/antenna-driver.ts'
import crt571 from '../../../drivers/crt571/driver.ts'
import twn4 from '../../../drivers/twn4/driver.ts'
import { branch } from '../../../src/devices/branch.ts'
import type { DeviceCapabilities, Driver } from '../../../src/devices/driver.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { openWire, parseAddress } from '../../../src/devices/wires/wire.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { firstSuccess } from '../../eventually.ts'
import { programMissing } from '../../programs.ts'
import { folder, run, runWith, started } from '../command-line.ts'

/** The simulators are another process, on the machine's own time. */
const options = { patience: 1, options: {}, clock: systemClock }

async function lobby(t: TestContext, ...args: string[]) {
  const { path: pocket, remove } = folder()
  const pace = ['--pace', '0', '--taken-after', '0', '--pocket', pocket]
  const running = await started(/^twn4 is at/, 'simulate', 'crt571', '--on', 'tcp:0', ...pace, ...args)
  t.after(async () => {
    await running.stop()
    remove()
  })
  async function wireOf(driver: Pick<Driver, 'name'>) {
    const line = running.lines.find((each) => each.startsWith(`${driver.name} is at `))!
    const parsed = parseAddress(line.slice(`${driver.name} is at `.length))
    assert.ok('address' in parsed, line)
    const wire = await openWire(parsed.address, { clock: systemClock })
    t.after(() => wire.destroy())
    return wire
  }
  async function open<Kind extends keyof DeviceCapabilities>(
    driver: Driver<Kind>,
  ): Promise<DeviceCapabilities[Kind]> {
    const wire = await wireOf(driver)
    return driver.open(wire, { ...options, model: driver.name })
  }
  return { pocket, open, wireOf, stop: running.stop }
}

for (const [encoderAt, skip] of [
  ['tcp:127.0.0.1:0', false],
  ['pty', programMissing('socat')],
] as const) {
  it(`lets a card travel from the stacker to an antenna at ${encoderAt} and into a hand`, {
    skip,
  }, async (t) => {
    const { pocket, open, stop } = await lobby(t, 'twn4', '--on', encoderAt, '--seed', 'a lobby')
    const dispenser = await open(crt571)
    const encoder = await open(twn4)
    await dispenser.initialise('capture')
    await encoder.identify()
    assert.equal(await encoder.find(), null)
    await dispenser.move('encoder')
    const card = await encoder.find()
    assert.equal(card?.format, 'Mifare1K')
    await dispenser.move('front')
    while (readdirSync(pocket).length === 0) await pause(5)
    assert.deepEqual(readdirSync(pocket), [`${card.uid.toHex().toUpperCase()}.json`])
    const { code, stderr } = await stop()
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  })
}

it('lets the antenna in a dispenser answer on the same wire', async (t) => {
  const { wireOf } = await lobby(t, 'twn4', '--on', 'tcp:0', '--card-kind', 'ultralight')
  const wire = await wireOf(crt571)
  const dispenser = crt571.open(wire, { ...options, model: 'crt571' })
  const antenna = crt571Antenna.open(branch(wire), { ...options, model: 'crt571-rf' })
  await dispenser.initialise('capture')
  assert.equal((await antenna.identify()).serialNumber, '59100042')
  assert.equal(await antenna.find(), null)
  await dispenser.move('encoder')
  assert.equal((await antenna.find())?.format, 'MifareUltralight')
  await antenna.writePage(4, Uint8Array.of(1, 2, 3, 4))
  await dispenser.move('capture')
  await assert.rejects(antenna.readPages(4), { code: 'card-removed' })
})

it('misbehaves once where it is told to', async (t) => {
  const { open } = await lobby(t, 'twn4', '--on', 'tcp:0', '--misbehave', 'crt571:move-encoder=refuse:A0')
  const dispenser = await open(crt571)
  await dispenser.initialise('capture')
  await assert.rejects(
    dispenser.move('encoder'),
    (error) => error instanceof DeviceFault && error.code === 'dispenser-empty',
  )
  assert.equal((await dispenser.move('encoder')).card, 'encoder')
})

it('leaves a card at the gate for ever where nobody takes one', async (t) => {
  const { pocket, open } = await lobby(t, 'twn4', '--on', 'tcp:0', '--taken-after', 'never')
  const dispenser = await open(crt571)
  await dispenser.initialise('capture')
  await dispenser.move('encoder')
  await dispenser.move('front')
  await pause(100)
  assert.deepEqual(readdirSync(pocket), [])
  assert.equal((await dispenser.status()).card, 'gate')
})

it('drops a line and brings it back', { skip: programMissing('socat') }, async (t) => {
  const { open } = await lobby(t, 'twn4', '--on', 'pty', '--misbehave', 'twn4:version=close')
  const first = await open(twn4)
  await assert.rejects(first.identify(), DeviceFault)
  first.close()
  const again = await firstSuccess(async () => {
    const encoder = await open(twn4)
    return encoder.identify()
  })
  assert.equal(again.model, 'TWN4')
})

it('makes the folder of a line, and takes the place of the link of an earlier run', {
  skip: programMissing('socat'),
}, async (t) => {
  const { path, remove } = folder()
  t.after(remove)
  const line = join(path, 'a lobby, one', 'lines', 'twn4')
  const { stop } = await started(/^twn4 is at/, 'simulate', 'twn4', '--on', `pty:${line}`)
  t.after(() => stop())
  assert.ok(lstatSync(line).isSymbolicLink())
  const old = join(path, 'old')
  symlinkSync('/dev/null', old)
  const { open, stop: stopAgain } = await lobby(t, 'twn4', '--on', `pty:${old}`)
  assert.equal((await (await open(twn4)).identify()).model, 'TWN4')
  await stopAgain()
})

it('ends with 64 where there can be no line, and leaves alone what is there', async (t) => {
  const { path, remove } = folder()
  t.after(remove)
  const file = join(path, 'file')
  writeFileSync(file, '')
  const wrong: [RegExp, string][] = [
    [/exists already and is not the link of a serial line\. Name a path that is free/, file],
    [/exists already and is not the link/, path],
    [/cannot be created: .*file.*Name a path in a folder that this user may write/, join(file, 'line')],
  ]
  for (const [sentence, line] of wrong) {
    const { code, stderr } = await run('simulate', 'twn4', '--on', `pty:${line}`)
    assert.equal(code, 64, stderr)
    assert.match(stderr, sentence)
  }
  assert.ok(lstatSync(file).isFile())
})

it('ends with 64 for what it cannot play', async () => {
  const wrong: [RegExp, string[]][] = [
    [/Models: crt571, /, ['toaster', '--on', 'tcp:5001']],
    [/Expected one --on WHERE/, ['crt571']],
    [/Models: crt571, /, []],
    [/Expected tcp:PORT/, ['crt571', '--on', 'usb']],
    [/Expected tcp:PORT/, ['crt571', '--on', 'tcp:99999']],
    [/expected COMMAND=DOES/, ['crt571', '--on', 'tcp:0', '--misbehave', 'status=explode']],
    [
      /no simulated device has the command dance\. Commands: .*move-front/,
      ['crt571', '--on', 'tcp:0', '--misbehave', 'dance=silence'],
    ],
    [/Expected a number from 0 to 9999/, ['crt571', '--on', 'tcp:0', '--cards', 'many']],
    [/Expected milliseconds, or never/, ['crt571', '--on', 'tcp:0', '--taken-after', 'soon']],
  ]
  for (const [sentence, args] of wrong) {
    const { code, stderr } = await run('simulate', ...args)
    assert.equal(code, 64, stderr)
    assert.match(stderr, sentence)
  }
})

it('ends with 69 when a port is taken, and with 66 when there is no socat', async (t) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  assert.equal((await run('simulate', 'crt571', '--on', `tcp:${port}`)).code, 69)
  const { path, remove } = folder()
  t.after(remove)
  const { code, stderr } = await runWith(
    { PATH: path },
    'simulate',
    'twn4',
    '--on',
    `pty:${join(path, 'line')}`,
  )
  assert.equal(code, 66)
  assert.match(stderr, /needs the program socat/)
})
