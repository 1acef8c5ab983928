import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkUnit } from '../../src/box/network/network-unit.ts'
import { readSettings } from '../../src/box/settings-file.ts'

const settingsIn = (text: string) => readSettings(Buffer.from(text)).settings

describe('nightporter.txt', () => {
  it('sets what each line says', () => {
    const text = `# for the Hotel Sample
name = nightporter-lisbon
time-zone = Europe/Lisbon
country = pt
address = 192.168.1.10/24
gateway = 192.168.1.1
dns = 192.168.1.1, 9.9.9.9
ntp = pool.ntp.org
pair = yes`
    assert.deepEqual(settingsIn(text), {
      name: 'nightporter-lisbon',
      timeZone: 'Europe/Lisbon',
      country: 'PT',
      address: '192.168.1.10/24',
      gateway: '192.168.1.1',
      dns: ['192.168.1.1', '9.9.9.9'],
      ntp: ['pool.ntp.org'],
      pair: true,
    })
  })

  it('reads what editors of any system write', () => {
    const wanted = { name: 'box', timeZone: 'Europe/Berlin' }
    const text = 'Name = “box”\r\nTime Zone: "Europe/Berlin"\r\n'
    assert.deepEqual(settingsIn(`\ufeff${text}`), wanted)
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    assert.deepEqual(readSettings(utf16).settings, wanted)
    assert.deepEqual(readSettings(Buffer.from(utf16).swap16()).settings, wanted)
    assert.deepEqual(settingsIn('timezone=Europe/Berlin\rNAME=box'), wanted)
    assert.deepEqual(settingsIn('NAME = BOX\nTIME-ZONE = EUROPE/BERLIN'), wanted)
    for (const none of ['+02:00', 'Europe/Nowhere', ''])
      assert.deepEqual(settingsIn(`time-zone = ${none}`), {})
  })

  it('says of each line what came of it, and takes the others', () => {
    const { settings, verdicts } = readSettings(
      Buffer.from('name = Grand Hotel\n\ncolour = red\naddress = 192.168.1.10\nhello\ncountry = PT\n'),
    )
    assert.deepEqual(settings, { country: 'PT' })
    assert.deepEqual(
      verdicts.map(({ line, isGood }) => [line, isGood]),
      [
        [1, false],
        [3, false],
        [4, false],
        [5, false],
        [6, true],
      ],
    )
    assert.match(verdicts[0]!.says, /letters, digits and hyphens/)
    assert.match(verdicts[1]!.says, /not a setting; there are name, time-zone, country/)
    assert.match(verdicts[2]!.says, /192\.168\.1\.10\/24/)
    assert.match(verdicts[3]!.says, /key = value/)
  })

  it('lets the last of two lines count', () => {
    assert.deepEqual(settingsIn('country = PT\ncountry = ES'), { country: 'ES' })
  })

  it('bears any bytes, and shows none that steer a screen', () => {
    const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256)
    for (const { text } of readSettings(bytes).verdicts) assert.doesNotMatch(text, /\p{Cc}/u)
    assert.deepEqual(readSettings(new Uint8Array()).verdicts, [])
  })
})

describe('the network of a box', () => {
  it('asks for an address unless the file gives one', () => {
    assert.match(networkUnit({}), /^DHCP=yes$/m)
    const fixed = networkUnit({
      address: '10.0.0.5/24',
      gateway: '10.0.0.1',
      dns: ['10.0.0.1'],
      ntp: ['10.0.0.2'],
    })
    assert.match(fixed, /^Address=10\.0\.0\.5\/24\nGateway=10\.0\.0\.1\nDNS=10\.0\.0\.1\nNTP=10\.0\.0\.2$/m)
    assert.doesNotMatch(fixed, /DHCP=/)
  })
})
