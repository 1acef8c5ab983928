import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { programMissing } from '../programs.ts'

const folder = join(import.meta.dirname, '../../systemd')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const unit = join(folder, 'nightporter.service')

describe('the unit', () => {
  it('is exposed at most 1.5, by the count of systemd', { skip: programMissing('systemd-analyze') }, () => {
    const { stdout, stderr } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], {
      encoding: 'utf8',
    })
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
    assert.ok(Number(exposure) <= 1.5, stdout + stderr)
  })

  it('lets in each kind of device of the udev rules, whose drivers are loaded before it', () => {
    const allowed = [...textOf('nightporter.service').matchAll(/^DeviceAllow=char-(\w+) rw$/gm)].map(
      ([, name]) => name,
    )
    assert.deepEqual(allowed, ['ttyUSB', 'ttyACM', 'ttyS', 'ttyAMA', 'hidraw', 'usb_device'])
    const rules = textOf('60-nightporter.rules')
    for (const line of ['ttyUSB', 'ttyACM', 'ttyS', 'ttyAMA'])
      assert.match(rules, new RegExp(`\\b${line}\\[0-9\\]`))
    assert.match(textOf('nightporter-modules.conf'), /^usbserial\n.*^cdc_acm\nhid\nusbhid\n/ms)
  })

  it('runs in the group of its devices, which its user has, and in no other', () => {
    const text = textOf('nightporter.service')
    const [, user] = /^User=(\w+)$/m.exec(text) ?? []
    assert.doesNotMatch(text, /^SupplementaryGroups=/m)
    assert.match(textOf('nightporter-users.conf'), new RegExp(`^u ${user} - `, 'm'))
    const groups = [...textOf('60-nightporter.rules').matchAll(/GROUP="(\w+)"/g)].map(([, group]) => group)
    assert.deepEqual([...new Set(groups)], [user])
  })

  it('keeps ModemManager away from each serial line that it opens, and from no modem', () => {
    const rules = textOf('60-nightporter.rules')
    const lines = /SUBSYSTEM=="tty", KERNEL=="([^"]+)", GROUP=/.exec(rules)?.[1]
    const last = rules.slice(rules.indexOf('ACTION=="remove"')).trim().split('\n')
    assert.deepEqual(last, [
      'ACTION=="remove", GOTO="nightporter_end"',
      'SUBSYSTEM!="tty", GOTO="nightporter_end"',
      `KERNEL!="${lines}", GOTO="nightporter_end"`,
      'DRIVERS=="option|option1|sierra|qcserial", GOTO="nightporter_end"',
      'ENV{ID_MM_DEVICE_IGNORE}="1", ENV{ID_MM_PORT_IGNORE}="1"',
      'LABEL="nightporter_end"',
    ])
  })

  it('has a rule for each HID device that a driver knows', () => {
    const rules = textOf('60-nightporter.rules')
    const drivers = globSync('../drivers/*/driver.ts', { cwd: folder }).map(textOf).join('\n')
    const known = [...drivers.matchAll(/hid: \{ vendorId: '(\w{4})', productId: '(\w{4})'/g)]
    assert.ok(known.length > 0)
    for (const [, vendor = '', product = ''] of known)
      assert.ok(
        // As the kernel names a HID device of any bus, in capitals, and as libusb finds one of USB, in small letters.
        rules.includes(
          `SUBSYSTEM=="hidraw", KERNELS=="*:${vendor.toUpperCase()}:${product.toUpperCase()}.*"`,
        ) &&
          rules.includes(
            `ATTR{idVendor}=="${vendor.toLowerCase()}", ATTR{idProduct}=="${product.toLowerCase()}"`,
          ),
        `${vendor}:${product}`,
      )
  })
})
