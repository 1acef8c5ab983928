import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Command, commands, type Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import { nameOf } from '../../../src/devices/driving/reader-link.ts'

/**
 * Requests by the notation and the samples of the vendor's manual. The driver and its simulator share the table, so a
 * wrong code or length in it is found only here.
 */
const requests: Partial<Record<Twn4CommandName, string>> = {
  version: '0004 FF',
  usbType: '0005',
  deviceUid: '0008',
  lastError: '000A',
  configureOutputs: '0400 07 00 00',
  setOutputs: '0402 01',
  clearOutputs: '0403 01',
  beep: '0407 64 6009 F401 F401',
  initLights: '0410 07',
  lightsOn: '0411 01',
  lightsOff: '0412 01',
  beepOn: '0416 64 6009',
  beepOff: '0417',
  searchTag: '0500 10',
  rfOff: '0501',
  setTagTypes: '0502 00000000 01000000',
  login: '0B00 A0A1A2A3A4A5 00 00',
  readBlock: '0B01 04',
  writeBlock: '0B02 04 000102030405060708090A0B0C0D0E0F',
  readPages: '0C00 04',
  writePage: '0C01 04 00010203',
  unlockEv1: '0C0A FFFFFFFF 0000',
  readNtag: '2000 04',
  writeNtag: '2001 04 00010203',
  pageVersion: '2005',
  unlockNtag: '2006 FFFFFFFF 0000',
  createApplication: '0F01 00 90785600 0F 01000000 00000000',
  selectApplication: '0F03 00 33221100',
  authenticate: '0F04 00 00 10 000102030405060708090A0B0C0D0E0F 02 01',
  keySettings: '0F05 00',
  fileSettings: '0F07 00 00',
  readFile: '0F08 00 00 0000 03 00',
  writeFile: '0F09 00 00 0000 03 001122 00',
  formatCard: '0F0F 00',
  createFile: '0F10 00 05 00 00 EEEE 0F000000 000000000000000000000000',
  changeKey:
    '0F19 00 00 10 000102030405060708090A0B0C0D0E0F 10 000102030405060708090A0B0C0D0E0F 01 0F 01000000 02000000',
  atqa: '1204',
  sak: '1205',
}

describe('the twn4 command table', () => {
  for (const [name, text] of Object.entries(requests) as [Twn4CommandName, string][])
    it(`has ${name} as the manual writes it`, () => {
      const request = Buffer.from(text.replaceAll(' ', ''), 'hex')
      const { takes, lengthAt }: Command = commands[name]
      const parameters = request.subarray(2)
      assert.equal(nameOf(commands, request.readUInt16BE()), name)
      assert.equal(parameters.length, takes + (lengthAt === undefined ? 0 : parameters[lengthAt]!))
    })

  it('has no other commands', () =>
    assert.deepEqual(Object.keys(requests).sort(), Object.keys(commands).sort()))
})
