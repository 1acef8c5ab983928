import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { monday, startAppliance, type TestAppliance } from '../appliance.ts'
import { settableClock } from '../test-clock.ts'
import { folder, run } from './command-line.ts'

const map = {
  externalId: { text: 'OLD-{number}' },
  confirmation: { column: 'number' },
  status: { column: 'state', values: { gone: 'CheckedOut', off: 'Canceled', coming: 'Confirmed' } },
  arrival: { column: 'from' },
  nights: { column: 'nights' },
  adults: { column: 'adults' },
  unitType: { column: 'type' },
  nightly: { price: { column: 'price', empty: ['-'] }, currency: { always: 'EUR' } },
  guest: { lastName: { column: 'name' }, country: { column: 'country', empty: ['?'] } },
  unitTypes: { OLD: { name: 'Old wing', units: 3 } },
}
const header = 'number,state,from,nights,adults,type,price,name,country'
const good = ['A1,gone,2024-02-28,2,2,OLD,68.5,"Müller, Anna",DE', 'A2,off,2024-03-01,1,1,SGL,79,Silva,?']

const { path, remove } = folder()
const file = (name: string, text: string | Buffer) => {
  writeFileSync(join(path, name), text)
  return join(path, name)
}
const csv = (...rows: string[]) => file('bookings.csv', [header, ...rows, ''].join('\n'))
const mapFile = file('map.json', JSON.stringify(map))

let house: TestAppliance
before(async () => {
  house = await startAppliance({ clock: settableClock(monday) })
})
after(async () => {
  await house.stop()
  remove()
})

const imported = (from: string, ...options: string[]) =>
  run('import', from, '--map', mapFile, '--url', house.appliance.url, ...options)
const found = async (number: string) => {
  const { body } = await house.ask(
    'GET',
    `/api/v2/reservations?filter[externalId]=OLD-${number}&include=stays`,
  )
  return body.data
}

describe('an import', () => {
  it('asks for the unit types before it sends a row', async () => {
    const { code, stderr } = await imported(csv(...good))
    assert.equal(code, 65)
    assert.match(stderr, /has no unit type OLD\. .*--create-units/)
    assert.equal((await found('A2')).length, 0)
  })

  it('splits rows with long texts into requests that the appliance takes, and refuses only those rows', async () => {
    const long = Array.from(
      { length: 30 },
      (_, at) => `L${at},coming,2027-02-01,1,1,SGL,9,${'x'.repeat(50_000)},?`,
    )
    const { code, stdout, stderr } = await imported(csv(...long, good[1]!), '--create-units')
    assert.equal(code, 1, stderr.slice(0, 500))
    assert.match(stdout, /^31 rows in [\d.]+ s: 1 accepted, 30 refused\n/)
  })

  it('takes rows with status, price and guest, and makes unit types and units', async () => {
    const { code, stdout, stderr } = await imported(csv(...good), '--create-units')
    assert.equal(code, 0, stderr)
    assert.match(
      stdout,
      /^2 rows in [\d.]+ s: 2 accepted, 0 refused\n {2}Canceled {4}1 accepted, 0 refused\n/,
    )
    const [reservation] = await found('A1')
    assert.equal(reservation.attributes.source, 'Import')
    assert.equal(reservation.attributes.status, 'CheckedOut')
    const [stay] = reservation.attributes.stays
    assert.deepEqual([stay.startDate, stay.endDate, stay.nights], ['2024-02-28', '2024-03-01', 2])
    assert.equal(stay.amount.amountWithTax, 137)
    const profile = await house.ask('GET', `/api/v2/profiles/${stay.profiles[0].id}`)
    assert.equal(profile.body.data.attributes.lastName, 'Müller, Anna')
    assert.equal(profile.body.data.attributes.nationality, 'DE')
    const types = await house.ask('GET', '/api/v2/unit-types/OLD')
    assert.equal(types.body.data.attributes.quantity, 3)
  })

  it('takes a row without a price, and one that names nobody where the map says what that means', async () => {
    const lenient = file('lenient.json', JSON.stringify({ ...map, nobody: { adults: 1 } }))
    const rows = csv('C1,gone,2024-02-01,1,1,OLD,-,X,?', 'C2,gone,2024-02-01,1,0,OLD,10,X,?')
    const { code, stdout, stderr } = await run('import', rows, '--map', lenient, '--url', house.appliance.url)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /\n {2}1 of the accepted bookings named no guests\. Adults assumed for each: 1\./)
    const [unpriced] = await found('C1')
    assert.equal(unpriced.attributes.stays[0].amount, null)
    const [empty] = await found('C2')
    assert.equal(empty.attributes.stays[0].personCount.adults, 1)
    assert.match(empty.attributes.stays[0].comment, /named no guests; imported with 1 adults/)
  })

  it('leaves what is there already as it is, and says what differs: 1', async () => {
    const { code, stdout, stderr } = await imported(csv('A1,off,2030-01-01,9,9,OLD,1,X,DE'))
    assert.equal(code, 1)
    assert.match(stdout, /0 accepted, 0 refused, 1 different\n/)
    assert.match(stderr, /line 2: OLD-A1: arrival is 2024-02-28, the file has 2030-01-01; /)
    const [{ attributes }] = await found('A1')
    assert.equal(attributes.status, 'CheckedOut')
  })

  it('changes it with --update, and finds no difference then: 0', async () => {
    assert.equal((await imported(csv('U1,coming,2027-02-01,1,1,SGL,9,Silva,?'))).code, 0)
    const changed = csv('U1,off,2027-02-01,1,1,SGL,9,Silva,?')
    assert.equal((await imported(changed)).code, 1)
    const { code, stdout } = await imported(changed, '--update')
    assert.equal(code, 0)
    assert.match(stdout, /\n {2}1 booking was stored otherwise and was changed: status \(1\)/)
    assert.equal((await found('U1'))[0].attributes.status, 'Canceled')
    assert.equal((await imported(changed)).code, 0)
  })

  it('reads a packed file', async () => {
    const text = [header, 'Z1,gone,2024-01-01,1,1,OLD,10,Zip,?', ''].join('\r\n')
    assert.equal((await imported(file('packed.csv.gz', gzipSync(text)))).code, 0)
    assert.equal((await found('Z1')).length, 1)
  })
})

describe('a refused row', () => {
  const rows: [string, string][] = [
    ['B1,gone,2024-01-01,1,0,OLD,10,X,?', 'personCount: At least one person stays.'],
    ['B2,lost,2024-01-01,1,1,OLD,10,X,?', 'status: lost in state is not one of gone, off, coming'],
    ['B3,gone,2023-02-29,1,1,OLD,10,X,?', 'arrival: 2023-02-29 in from is not a date'],
    ['B4,gone,2024-01-01,one,1,OLD,10,X,?', 'nights: "one" in nights is not a whole number'],
    ['B5,gone,2024-01-01,1,1,NEW,10,X,?', 'unitType: there is no unit type NEW'],
    ['B6,gone,2024-01-01,1,1,OLD,1e3,X,?', 'nightly: 1e3 is not a price'],
    [
      'B7,gone,2024-01-01,1,1,OLD,0.005,X,?',
      'amount/amountWithTax: Expected an amount with at most 2 decimals.',
    ],
    ['B8,gone,2024-01-01,0,1,OLD,10,X,?', 'endTime: A stay ends later than it starts.'],
    ['B9,gone,2024-01-01,100,100,OLD,10,X,?', 'personCount/adults'],
  ]

  it('is told with its line, its field and the reason, and the others are taken: 1', async () => {
    const { code, stdout, stderr } = await imported(
      csv(...rows.map(([row]) => row), 'B0,gone,2024-01-01,1,1,OLD,10,X,?'),
    )
    assert.equal(code, 1)
    assert.match(stdout, /^10 rows in [\d.]+ s: 1 accepted, 9 refused\n/)
    assert.match(stdout, /\n {2}lost +0 accepted, 1 refused\n/)
    for (const [index, [, reason]] of rows.entries()) {
      assert.ok(stderr.includes(`line ${index + 2}: ${reason}`), `${reason}\n${stderr}`)
    }
    assert.equal((await found('B0')).length, 1)
    assert.equal((await found('B1')).length, 0)
  })

  it('is written to a file where one is named', async () => {
    const refused = join(path, 'refused.csv')
    const { code, stderr } = await imported(csv(rows[1]![0]), '--refused', refused)
    assert.equal(code, 1)
    assert.equal(stderr, '')
    assert.equal(
      readFileSync(refused, 'utf8'),
      'line,field,reason\n2,status,"lost in state is not one of gone, off, coming"\n',
    )
  })
})

describe('an import that cannot be', () => {
  const nothing = async () => assert.equal((await found('A9')).length, 0)
  const row = 'A9,gone,2024-01-01,1,1,OLD,10,X,?'
  beforeEach(nothing)
  after(nothing)

  it('has no file, or no map: 66', async () => {
    assert.equal((await imported(join(path, 'nothing.csv'))).code, 66)
    const noMap = await run(
      'import',
      csv(row),
      '--map',
      join(path, 'nothing.json'),
      '--url',
      house.appliance.url,
    )
    assert.equal(noMap.code, 66)
  })

  it('has nowhere to write the refused rows: 77', async () => {
    assert.equal((await imported(csv(row), '--refused', join(path, 'no', 'such', 'folder.csv'))).code, 77)
  })

  it('has a file that is no CSV, or lacks a column: 65', async () => {
    const cases: [RegExp, string][] = [
      [/has no column adults, country, from/, file('narrow.csv', 'number,state\nA9,gone\n')],
      [/cannot be read to its end/, file('torn.csv', `${header}\nA9,gone,2024-01-01,1,1,OLD,10,"X,?\n`)],
      [/cannot be read to its end/, file('ragged.csv', `${header}\nA9,gone\n`)],
      [/cannot be read to its end/, file('torn.csv.gz', gzipSync(`${header}\n${row}\n`).subarray(0, 30))],
    ]
    for (const [sentence, name] of cases) {
      const { code, stderr } = await imported(name)
      assert.equal(code, 65, stderr)
      assert.match(stderr, sentence)
    }
  })

  it('has a map that is none: 65', async () => {
    const { status: _, ...noStatus } = map
    const cases: [RegExp, string][] = [
      [/status is missing/, JSON.stringify(noStatus)],
      [/colour is not a member of a map/, JSON.stringify({ ...map, colour: { always: 'blue' } })],
      [/a map is a JSON object/, '[]'],
      [/cannot be used/, '{'],
      [/nights must be an object/, JSON.stringify({ ...map, nights: 3 })],
    ]
    for (const [sentence, text] of cases) {
      const args = ['--map', file('wrong.json', text), '--url', house.appliance.url]
      const { code, stderr } = await run('import', csv(row), ...args)
      assert.equal(code, 65, stderr)
      assert.match(stderr, sentence)
    }
  })

  it('has no appliance, or no right to: 69 and 77', async () => {
    const args = ['import', csv(row), '--map', mapFile]
    assert.equal((await run(...args, '--url', 'http://127.0.0.1:1')).code, 69)
    assert.equal((await run(...args, '--url', house.appliance.url, '--token', 'wrong')).code, 77)
  })
})
