import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode } from '../../../drivers/ifd510/framing.ts'
import { commands, type Ifd510CommandName } from '../../../drivers/ifd510/protocol.ts'
import { nameOf } from '../../../src/devices/driving/reader-link.ts'

const key = 'FF FF FF FF FF FF'
const block = '00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F'

/**
 * Requests on a serial line by the notation and the samples of the vendor's manual. The driver and its simulator share
 * the table, so a wrong code or length in it is found only here.
 */
const requests: Partial<Record<Ifd510CommandName, string>> = {
  request: '02 00 02 03 26 27 03',
  halt: '02 00 01 06 07 03',
  readBlock: `02 00 0A 20 01 01 10 ${key} 3A 03`,
  writeBlock: `02 00 1A 21 00 01 04 ${key} ${block} 3E 03`,
  serialOf: '02 00 03 25 26 00 00 03',
  readerSerial: '02 00 01 83 82 03',
  version: '02 00 01 86 87 03',
  light: '02 00 03 87 18 0A 96 03',
  buzzer: '02 00 03 89 18 0A 98 03',
  readPages: '02 00 03 E0 01 04 E6 03',
  writePage: '02 00 08 E1 00 01 04 48 4B 01 00 EE 03',
}

describe('the ifd510 command table', () => {
  for (const [name, text] of Object.entries(requests) as [Ifd510CommandName, string][])
    it(`has ${name} as the manual writes it`, () => {
      const packet = decode(Buffer.from(text.replaceAll(' ', ''), 'hex'))
      assert.ok(packet)
      assert.equal(nameOf(commands, packet.code), name)
      assert.equal(packet.data.length, commands[name].takes)
    })

  it('has no other commands', () =>
    assert.deepEqual(Object.keys(requests).sort(), Object.keys(commands).sort()))
})
