import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { monday, startAppliance, type TestAppliance } from '../../appliance.ts'
import { folder, run } from '../../cli/command-line.ts'
import { settableClock } from '../../test-clock.ts'

const map = {
  externalId: { text: 'F-{no}' },
  status: { column: 'state', values: { gone: 'CheckedOut', coming: 'Confirmed' } },
  arrival: { column: 'from' },
  departure: { column: 'to' },
  adults: { column: 'adults' },
  children: { column: 'children' },
  unitType: { column: 'type' },
  unit: { column: 'room' },
  nightly: { price: { column: 'price' }, currency: { always: 'EUR' } },
  guest: { lastName: { column: 'name' } },
  unitTypes: { FMT: { name: 'Formats', units: ['F-101', 'F-102'] }, OTH: { name: 'Others', units: 1 } },
}
const names = ['no', 'state', 'from', 'to', 'adults', 'children', 'type', 'room', 'price', 'name']
const header = names.join(';')

const { path, remove } = folder()
const file = (name: string, text: string | Buffer) => {
  writeFileSync(join(path, name), text)
  return join(path, name)
}
const csv = (...rows: string[]) => file('formats.csv', [header, ...rows, ''].join('\r\n'))
const mapped = (more: object) => file('map.json', JSON.stringify({ ...map, ...more }))

let house: TestAppliance
before(async () => {
  house = await startAppliance({ clock: settableClock(monday) })
})
after(async () => {
  await house.stop()
  remove()
})

const imported = (from: string, more: object = {}, ...options: string[]) =>
  run('import', from, '--map', mapped(more), '--create-units', '--url', house.appliance.url, ...options)
const stayOf = async (number: string) => {
  const { body } = await house.ask('GET', `/api/v2/reservations?filter[externalId]=F-${number}`)
  return body.data[0]?.attributes.stays[0] ?? null
}

describe('a dry run', () => {
  it('shows how the file is read and what would be refused, and writes nothing', async () => {
    const rows = csv(
      'D1;gone;22.02.2024;24.02.2024;2;0;FMT;F-101;68,50;Silva',
      'D2;lost;1.3.2024;2.3.2024;1;0;FMT;;79;X',
    )
    const { code, stdout, stderr } = await imported(rows, {}, '--dry-run')
    assert.equal(code, 1, stderr)
    assert.match(stdout, /^Dry run: nothing was written\.\n2 rows in [\d.]+ s: 1 accepted, 1 refused\n/)
    assert.match(
      stdout,
      /Refused for status \(1\)\n {2}Read with ";" as the separator and the encoding UTF-8\./,
    )
    assert.match(stdout, /The unit type FMT with 2 units would be created/)
    assert.match(stdout, /1 of the bookings are of unit types or units that do not exist yet/)
    assert.equal((await house.ask('GET', '/api/v2/unit-types/FMT')).status, 404)
    assert.equal(await stayOf('D1'), null)
  })

  it('asks the appliance about rows whose units exist', async () => {
    const types = 'G1;gone;22.02.2024;24.02.2024;1;0;FMT;F-101;68,50;Silva'
    assert.equal((await imported(csv(types))).code, 0)
    const { code, stdout, stderr } = await imported(
      csv('G2;gone;22.02.2024;24.02.2024;0;0;FMT;;68,50;Silva', types),
      {},
      '--dry-run',
    )
    assert.equal(code, 1)
    assert.match(stderr, /line 2: personCount: At least one person stays/)
    assert.match(stdout, /1 of the accepted bookings were imported before and are not changed/)
  })
})

describe('an import reads', () => {
  it('semicolons, dates with dots, a departure, a decimal comma and a room', async () => {
    const { code, stdout, stderr } = await imported(
      csv('A1;gone;22.02.2024;25.02.2024;2;1;FMT;F-102;1.068,50;Müller'),
    )
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Read with ";" as the separator and the encoding UTF-8\./)
    const stay = await stayOf('A1')
    assert.deepEqual(
      [stay.startDate, stay.endDate, stay.amount.amountWithTax],
      ['2024-02-22', '2024-02-25', 3205.5],
    )
    assert.equal(stay.units[0].unitName, 'F-102')
    assert.equal(stay.personCount.children, 1)
  })

  it('tabs, a byte order mark, and a separator that the first line states', async () => {
    const row = 'B1;gone;2024-02-22;2024-02-23;1;0;FMT;;10;Bom'
    const tabs = [header, row, ''].join('\n').replaceAll(';', '\t')
    const first = await imported(file('tabs.csv', `\ufeff${tabs}`))
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /Read with tab as the separator/)
    const stated = `sep=|\r\n${[header, row.replace('B1', 'B2'), ''].join('\r\n').replaceAll(';', '|')}`
    const second = await imported(file('sep.csv', `\ufeff${stated}`))
    assert.equal(second.code, 0, second.stderr)
    const utf16 = Buffer.from(`\ufeff${tabs.replace('B1', 'B3')}`, 'utf16le')
    const third = await imported(file('unicode.csv', utf16))
    assert.equal(third.code, 0, third.stderr)
    assert.match(third.stdout, /encoding UTF-16LE/)
    assert.ok((await stayOf('B1')) && (await stayOf('B2')) && (await stayOf('B3')))
  })

  it('Windows-1252 where the map says so, and refuses it with the line where it does not', async () => {
    const text = `${header}\nE0;gone;22.02.2024;23.02.2024;1;0;FMT;;10;Smith\nE1;gone;22.02.2024;23.02.2024;1;0;FMT;;10;Müller\n`
    const bytes = file('latin.csv', Buffer.from(text, 'latin1'))
    const refused = await imported(bytes)
    assert.equal(refused.code, 65)
    assert.match(refused.stderr, /is not UTF-8: line 3 .* As Windows-1252 it reads: E1;.*Müller\n/)
    assert.match(refused.stderr, /add "encoding": "windows-1252" to the map/)
    assert.equal(await stayOf('E0'), null)
    const { code, stderr } = await imported(bytes, { encoding: 'windows-1252' })
    assert.equal(code, 0, stderr)
    const stay = await stayOf('E1')
    const profile = await house.ask('GET', `/api/v2/profiles/${stay.profiles[0].id}`)
    assert.equal(profile.body.data.attributes.lastName, 'Müller')
  })
})

it('says that the header is in another encoding, rather than that a column is missing', async () => {
  const text = `${header.replace('name', 'Gäste')}\n`
  const { code, stderr } = await imported(file('header.csv', Buffer.from(text, 'latin1')), {
    guest: { lastName: { column: 'Gäste' } },
  })
  assert.equal(code, 65)
  assert.match(stderr, /is not UTF-8: line 1 is in another encoding\..* reads: no;.*Gäste/)
})

describe('the order of day and month', () => {
  const row = (no: string, from: string, to: string) => `${no};gone;${from};${to};1;0;FMT;;10;Date`

  it('is decided by one date of the file, and said', async () => {
    const { code, stdout, stderr } = await imported(
      csv(row('H1', '03/02/2024', '04/02/2024'), row('H2', '12/02/2024', '22/02/2024')),
    )
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Dates such as 03\/02\/2024 are day\/month\/year, because line 3 has 22\/02\/2024\./)
    assert.equal((await stayOf('H1')).startDate, '2024-02-03')
  })

  it('is not guessed where no date decides, and the map says it', async () => {
    const rows = csv(row('I1', '03/02/2024', '04/02/2024'))
    const refused = await imported(rows)
    assert.equal(refused.code, 65)
    assert.match(
      refused.stderr,
      /03\/02\/2024 in line 2 can be read with the day or the month first.*"order": "MDY"/,
    )
    assert.equal(await stayOf('I1'), null)
    const order = { order: 'MDY' }
    const said = { arrival: { ...map.arrival, ...order }, departure: { ...map.departure, ...order } }
    const { code, stderr } = await imported(rows, said)
    assert.equal(code, 0, stderr)
    assert.deepEqual(
      [(await stayOf('I1')).startDate, (await stayOf('I1')).endDate],
      ['2024-03-02', '2024-04-02'],
    )
  })

  it('is always day first in dates with dots', async () => {
    const { code, stderr } = await imported(csv(row('O1', '03.02.2024', '02/22/2024')))
    assert.equal(code, 0, stderr)
    assert.deepEqual(
      [(await stayOf('O1')).startDate, (await stayOf('O1')).endDate],
      ['2024-02-03', '2024-02-22'],
    )
  })

  it('is refused where the dates contradict each other', async () => {
    const { code, stderr } = await imported(
      csv(row('J1', '03/02/2024', '22/02/2024'), row('J2', '02/03/2024', '02/22/2024')),
    )
    assert.equal(code, 65)
    assert.match(
      stderr,
      /dates in two orders: 22\/02\/2024 in line 2 has the day first, 02\/22\/2024 in line 3 the month/,
    )
  })
})

describe('a row is refused', () => {
  const good = 'gone;22.02.2024;23.02.2024;1;0;FMT;;10;X'
  const rows: [string, RegExp][] = [
    [
      good.replace('1;0', '1;NA'),
      /children: "NA" in children may stand for an empty cell\. If it does, add "empty": \["NA"\] to the map; if it is a value, add "empty": \[\] to children/,
    ],
    [good.replace(';X', ';NULL'), /guest: "NULL" in name may stand for an empty cell/],
    [good.replace('23.02', '21.02'), /departure: 2024-02-21 is before the arrival on 2024-02-22/],
    [
      good.replace('22.02.2024', '22.02.24'),
      /arrival: 22\.02\.24 in from is not a date: the year has two digits/,
    ],
    [
      good.replace('22.02.2024', '45344'),
      /arrival: 45344 in from is not a date but a number of a spreadsheet/,
    ],
    [good.replace('22.02.2024', ''), /arrival: the cell of from is empty/],
    [
      good.replace(';10;', ';1.234;'),
      /nightly: 1\.234 may be a thousand or a decimal fraction\. Add "decimal"/,
    ],
    [good.replace('FMT;;', 'FMT;999;'), /unit: there is no unit 999\. Create it, or leave the cell empty/],
    [good.replace('FMT;;', 'OTH;F-101;'), /unit: the unit F-101 is of the unit type FMT, not OTH/],
  ]

  it('with line, column and value, and with what the map can say', async () => {
    const { code, stderr, stdout } = await imported(csv(...rows.map(([row], at) => `K${at};${row}`)))
    assert.equal(code, 1)
    const lines = stderr.split('\n')
    for (const [at, [, sentence]] of rows.entries()) {
      const line = lines.find((each) => each.startsWith(`line ${at + 2}: `)) ?? ''
      assert.match(line, sentence)
    }
    assert.match(stdout, /Refused for arrival \(3\), /)
  })

  it('is accepted where the map says what its words mean', async () => {
    const { code, stderr } = await imported(csv('L1;gone;22.02.2024;23.02.2024;1;NA;FMT;NULL;1.234;Null'), {
      empty: ['NA', 'NULL'],
      guest: { lastName: { column: 'name', empty: [] } },
      nightly: { ...map.nightly, decimal: ',' },
    })
    assert.equal(code, 0, stderr)
    const stay = await stayOf('L1')
    assert.deepEqual([stay.personCount.children, stay.amount.amountWithTax], [0, 1234])
    const profile = await house.ask('GET', `/api/v2/profiles/${stay.profiles[0].id}`)
    assert.equal(profile.body.data.attributes.lastName, 'Null')
  })

  it('when another row has its externalId', async () => {
    const { code, stderr } = await imported(csv(`M1;${good}`, `M2;${good}`, `M1;${good}`))
    assert.equal(code, 1)
    assert.match(stderr, /line 4: externalId: F-M1 is in line 2 too/)
  })

  it('and of many with one reason, the first three are shown', async () => {
    const wrong = Array.from({ length: 130 }, (_, at) => `N${at};lost;22.02.2024;23.02.2024;1;0;FMT;;10;X`)
    const { stderr, stdout } = await imported(csv(...wrong))
    assert.match(
      stderr,
      /^130 rows for one reason, the first 3:\nline 2: status: lost in state is not one of/m,
    )
    assert.equal(stderr.match(/^line /gm)?.length, 3)
    assert.match(stderr, /Not every refused row is shown\. --refused FILE/)
    assert.match(stdout, /Refused for status \(130\)/)
  })
})

it('takes the unit type from the unit where the map has none', async () => {
  const { unitType: _, ...without } = map
  const rows = csv(
    'P1;gone;22.03.2024;23.03.2024;1;0;;F-102;10;X',
    'P2;gone;22.03.2024;23.03.2024;1;0;;;10;X',
  )
  const { code, stderr } = await run(
    'import',
    rows,
    '--map',
    file('no-type.json', JSON.stringify(without)),
    '--create-units',
    '--url',
    house.appliance.url,
  )
  assert.equal(code, 1)
  assert.match(stderr, /line 3: unitType: the cell is empty/)
  assert.equal((await stayOf('P1')).units[0].unitName, 'F-102')
})

describe('a map is refused', () => {
  const cases: [RegExp, object][] = [
    [/it needs nights or departure/, { departure: undefined }],
    [/it needs unitType or unit/, { unitType: undefined, unit: undefined }],
    [/nights and departure state the same/, { nights: { column: 'adults' } }],
    [/separator must be one character/, { separator: '' }],
    [/klingon is not the name of an encoding/, { encoding: 'klingon' }],
    [/empty must be a list of words/, { empty: 'NA' }],
    [/order must be "DMY"/, { arrival: { column: 'from', order: 'YMD' } }],
  ]
  for (const [sentence, more] of cases) {
    it(`with a sentence: ${sentence.source}`, async () => {
      const { code, stderr } = await imported(csv(), more)
      assert.equal(code, 65)
      assert.match(stderr, sentence)
    })
  }
})

it('names the columns of a file in which one is missing', async () => {
  const { code, stderr } = await imported(file('other.csv', 'nr;state\n1;gone\n'))
  assert.equal(code, 65)
  assert.match(stderr, /Read with ";" as the separator, its columns are: nr, state\./)
})
