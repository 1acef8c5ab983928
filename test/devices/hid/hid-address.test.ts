import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hidText } from '../../../src/devices/hid/hid-address.ts'
import { parseAddress } from '../../../src/devices/wires/wire.ts'

const ids = { transport: 'hid', vendorId: 0xffff, productId: 0x0035 } as const

describe('an address of a USB HID device', () => {
  const read = [
    ['hid://ffff:0035', ids],
    ['hid://13ad:9cab', { ...ids, vendorId: 0x13ad, productId: 0x9cab }],
    ['hid://ffff:0035?port=1-1.4', { ...ids, port: '1-1.4' }],
    ['hid://ffff:0035?port=10-3.2.1', { ...ids, port: '10-3.2.1' }],
    ['hid://ffff:0035?serial=A-17/b', { ...ids, serialNumber: 'A-17/b' }],
  ] as const
  for (const [text, address] of read)
    it(`reads ${text}`, () => {
      assert.deepEqual(parseAddress(text), { address, warning: null })
      assert.equal(hidText(address), text)
    })

  it('reads capitals', () => {
    assert.deepEqual(parseAddress('hid://FFFF:0035?PORT=1-2'), {
      address: { ...ids, port: '1-2' },
      warning: null,
    })
  })

  const refused = [
    'hid:',
    'hid:ffff:0035',
    'hid://ffff',
    'hid://ffff:35',
    'hid://ffff:00355',
    'hid://fffg:0035',
    'hid://ffff:0035/',
    'hid://ffff:0035?',
    'hid://ffff:0035?port=',
    'hid://ffff:0035?path=1-1',
    'hid://ffff:0035?port=1-1&serial=2',
    'hid://ffff:0035?serial=a b',
  ]
  for (const text of refused)
    it(`refuses ${text} and says what was expected`, () => {
      const parsed = parseAddress(text)
      assert.ok('problem' in parsed)
      assert.match(parsed.problem, /hid:\/\/ffff:0035/)
    })

  for (const port of ['1', '1-', '1-1.', '1-1:1.0', '/dev/bus/usb/001/002'])
    it(`refuses ${port} as a port`, () => {
      const parsed = parseAddress(`hid://ffff:0035?port=${port}`)
      assert.ok('problem' in parsed)
      assert.match(parsed.problem, /such as 1-1\.4/)
    })
})
