import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { onUsbMachine, usbKernel } from './usb-machine.ts'

const program = fileURLToPath(new URL('./usb-guest.ts', import.meta.url))
/** A machine that is computed boots in some seconds; the rest is for one with other things to do. */
const withinMs = 850_000

const kernel = usbKernel()
const missing = 'left out: no USB to plug into: run test/long/drivers/ifd510/usb-machine.sh'

it('ifd510 at a USB socket of a Linux kernel', { skip: kernel ? false : missing }, async (t) => {
  const run = () =>
    onUsbMachine(kernel!, [process.execPath, '--test-reporter=tap', '--test-force-exit', program], withinMs)
  let said = await run()
  if (crashedAtStart(said)) {
    t.diagnostic('the program crashed before its first test, and the machine was started anew')
    said = await run()
  }
  const results = [...said.matchAll(/^(not )?ok \d+ - (.*)$/gm)]
  for (const [, failed, name] of results)
    await t.test(name, () => {
      assert.ok(!failed, said)
    })
  for (const [, words = ''] of said.matchAll(/^# (\d+ crashes .*)$/gm)) t.diagnostic(words)
  assert.match(said, /^the program ended with 0$/m, said)
  assert.match(said, /couldn't find an input interrupt endpoint/, 'it was like the unit that was dumped')
  assert.ok(results.length > 0, said)
})

/**
 * On a computed processor the first start of a program has crashed in about one of ten machines, without any USB device
 * and without the library. That says nothing about what is tried here.
 */
function crashedAtStart(said: string): boolean {
  return /^the program ended with 139$/m.test(said) && !/^(not )?ok \d/m.test(said)
}
