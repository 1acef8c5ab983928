import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Questions } from '../../src/resource/command.ts'
import { maskedValue, maskGuests, type Origin } from '../../src/status/mask-guests.ts'

const guests = [
  { firstName: 'José', lastName: 'Ng' },
  { firstName: '伟', lastName: '王小明' },
  { firstName: 'An', lastName: "O'Neill", companyName: 'Acme Travel' },
]
const hide = maskGuests({ all: () => guests } as unknown as Pick<Questions, 'all'>)

const rows: [origin: Origin, text: string, expected: string][] = [
  ['typed', 'ng', '[name]'],
  ['typed', 'for mr NG and jose', 'for mr [name] and [name]'],
  ['typed', "ask o'neill of acme", 'ask [name] of [name]'],
  ['typed', '王小明先生', '[name]先生'],
  ['program', 'Lobby of Ng: an answer is missing', 'Lobby of [name]: an answer is missing'],
  ['program', 'NG', 'NG'],
  ['program', 'JOSE', '[name]'],
  ['typed', 'call +351 912 345 678', 'call [phone]'],
  ['typed', '(030) 123-4567', '[phone]'],
  ['typed', '912 345 678', '[phone]'],
  ['typed', '0351912345678', '[phone]'],
  ['typed', 'Tel:912345678', 'Tel:[phone]'],
  ['typed', 'Rosa/912345678a', 'Rosa/[phone]a'],
  ['typed', 'call +351\u2011912\u2011345\u2011678 or +351\u2013912\u2013345', 'call [phone] or [phone]'],
  ['typed', '９１２３４５６７８', '[phone]'],
  ['typed', 'printer 192.168.1.10, since 2026-06-01', 'printer 192.168.1.10, since 2026-06-01'],
  ['program', 'asked by 0170/1234567.', 'asked by [phone].'],
  ['program', 'from +351 912 345 678: no', 'from [phone]: no'],
  ['typed', 'a.b-c+x@mail.example.com, or call', '[e-mail], or call'],
  ['typed', 'müller@hotel.de', '[e-mail]'],
  ['typed', 'anna@gmail', '[e-mail]'],
  ['typed', 'anna @ x.de', '[e-mail]'],
  ['program', 'from anna@x.de: no', 'from [e-mail]: no'],
  // What a fault is found by stays.
  ['program', '192.168.1.10:8443', '192.168.1.10:8443'],
  ['program', 'from 10.20.30.40 to 192.168.100.200', 'from 10.20.30.40 to 192.168.100.200'],
  ['program', '2026-06-01T08:00:00.000Z', '2026-06-01T08:00:00.000Z'],
  ['program', '2026-06-01 08:00:12', '2026-06-01 08:00:12'],
  ['program', '01234567-1234-7123-8123-123456789012', '01234567-1234-7123-8123-123456789012'],
  ['program', '01998123-4567-7012-8a12-345678901234', '01998123-4567-7012-8a12-345678901234'],
  ['program', 'AA:11:22:33:44:55:66:77', 'AA:11:22:33:44:55:66:77'],
  ['program', '/dev/serial/by-id/usb-FTDI_12345678-if00', '/dev/serial/by-id/usb-FTDI_12345678-if00'],
  ['program', '12345678', '12345678'],
  ['program', 'lost (192.168.1.10)', 'lost (192.168.1.10)'],
  ['program', '192.168.1.0/24 and 192.168.1.10 8443', '192.168.1.0/24 and 192.168.1.10 8443'],
  ['program', '(2026-06-01), room 101 2026-06-01 (3)', '(2026-06-01), room 101 2026-06-01 (3)'],
  ['program', 'vendor code 00112233, code 1234567', 'vendor code 00112233, code 1234567'],
  ['program', 'at 1783065600000 ms, 1048576 bytes', 'at 1783065600000 ms, 1048576 bytes'],
  ['program', 'firmware 4.12.0.1234', 'firmware 4.12.0.1234'],
  ['program', 'version 0.6.0 of 2026-11-23', 'version 0.6.0 of 2026-11-23'],
]

describe('The mask of the support file', () => {
  for (const [origin, text, expected] of rows)
    it(`makes of the ${origin} text ${text}: ${expected}`, () => assert.equal(hide(text, origin), expected))

  it('masks the names of members that people typed, and no others', () => {
    const value = { status: 'An', rooms: { 'Suite of Ng': 1 }, An: 2 }
    assert.deepEqual(
      maskedValue(value, (text) => hide(text, 'typed')),
      { status: '[name]', rooms: { 'Suite of [name]': 1 }, An: 2 },
    )
  })
})
