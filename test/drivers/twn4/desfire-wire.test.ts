import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileIn, parameters, settingsIn } from '../../../drivers/twn4/desfire-wire.ts'
import { commands } from '../../../drivers/twn4/protocol.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const zeros = new Uint8Array(16)
const line = (code: number, given: readonly number[]) =>
  `${code.toString(16).padStart(4, '0')}${Buffer.from(given).toString('hex')}`.toUpperCase()

describe('a DESFire command of the twn4', () => {
  const open = { rights: 0x0f, keys: 1, type: '3DES' } as const
  const free = { mode: 'plain', rights: [0xe, 0xe, 0xe, 0xe], size: 15 } as const
  // The vendor manual's own examples.
  const examples: [name: string, code: number, given: readonly number[], sent: string][] = [
    ['selects', commands.selectApplication.code, parameters.select(0x112233), '0F030033221100'],
    [
      'authenticates with 3DES',
      commands.authenticate.code,
      parameters.authenticate(0, { type: '3DES', bytes: zeros }),
      `0F04000010${'00'.repeat(16)}0000`,
    ],
    [
      'creates an application',
      commands.createApplication.code,
      parameters.createApplication(0x567890, open),
      '0F0100907856000F0100000000000000',
    ],
    [
      'creates a file',
      commands.createFile.code,
      parameters.createFile(5, free),
      '0F1000050000EEEE0F000000000000000000000000000000',
    ],
    [
      'writes',
      commands.writeFile.code,
      parameters.write(0, 0, hex('001122'), 'plain'),
      '0F09000000000300112200',
    ],
    ['reads', commands.readFile.code, parameters.read(0, 0, 3, 'plain'), '0F08000000000300'],
    ['asks how keys are governed', commands.keySettings.code, parameters.settings(), '0F0500'],
    ['asks of a file', commands.fileSettings.code, parameters.file(0), '0F070000'],
    ['formats', commands.formatCard.code, parameters.format(), '0F0F00'],
  ]
  for (const [name, code, given, sent] of examples)
    it(`${name}: ${sent}`, () => assert.equal(line(code, given), sent))

  it('authenticates with AES the EV1 way', () =>
    assert.equal(
      line(
        commands.authenticate.code,
        parameters.authenticate(2, { type: 'AES', bytes: zeros.with(0, 0xab) }),
      ),
      `0F04000210AB${'00'.repeat(15)}0201`,
    ))

  it('says rights as the card does, low byte first', () => {
    const file = { mode: 'enciphered', rights: [1, 2, 0xf, 0], size: 48 } as const
    assert.equal(line(0x0f10, parameters.createFile(1, file)).slice(4, 24), '00010003F01230000000')
  })

  it('changes a key as in the manual, but for the version of a key of ours', () => {
    const given = parameters.changeKey(0, zeros, { type: '3DES', bytes: zeros }, open)
    assert.equal(line(0x0f19, given), `0F19000010${'00'.repeat(16)}10${'00'.repeat(16)}010F0100000000000000`)
  })

  it('takes as many bytes as the simulator counts', () => {
    const { takes, lengthAt } = commands.writeFile
    const given = parameters.write(1, 0x0102, zeros, 'maced')
    assert.equal(given.length, takes + given[lengthAt]!)
    assert.deepEqual(given.slice(0, 5), [0, 1, 0x02, 0x01, 16])
  })
})

describe('what a DESFire tells through the twn4', () => {
  it('how keys are governed', () => {
    assert.deepEqual(settingsIn(hex('0F 01000000 00000000')), { rights: 15, keys: 1, type: '3DES' })
    assert.deepEqual(settingsIn(hex('09 03000000 02000000')), { rights: 9, keys: 3, type: 'AES' })
    assert.equal(settingsIn(hex('09 03000000 01000000')), null, '3K3DES')
  })
  it('of a file', () => {
    const sample = hex('0000EEEE20000000000000000000000036322F50')
    assert.deepEqual(fileIn(sample), { mode: 'plain', rights: [14, 14, 14, 14], size: 32 })
    const ours = hex(`00 03 F012 30000000 ${'00'.repeat(12)}`)
    assert.deepEqual(fileIn(ours), { mode: 'enciphered', rights: [1, 2, 15, 0], size: 48 })
    assert.equal(fileIn(hex(`01 03 F012 30000000 ${'00'.repeat(12)}`)), null, 'a backup file')
    assert.equal(fileIn(hex(`00 02 F012 30000000 ${'00'.repeat(12)}`)), null, 'no mode that there is')
  })
})
