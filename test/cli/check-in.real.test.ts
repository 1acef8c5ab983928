import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { monday, startAppliance, type TestAppliance } from '../appliance.ts'
import { settableClock } from '../test-clock.ts'
import { folder, run, runWith, type Served, served } from './command-line.ts'

describe('a guest with a card', () => {
  const { path, remove } = folder()
  const data = join(path, 'data')
  let house: Served
  let kiosk = ''
  before(async () => {
    house = await served(data)
    const made = await run('token', 'create', 'Lobby', '--role', 'kiosk', '--url', house.url)
    kiosk = made.stdout.trim()
  })
  after(async () => {
    await house.stop()
    remove()
  })

  const cards = () => readdirSync(join(data, 'pocket')).map((name) => join(data, 'pocket', name))
  const door = (...args: string[]) => run('door', ...args, '--data', data)
  const checkIn = (number: string) => run('check-in', number, '--url', house.url)
  const atKiosk = (number: string, ...more: string[]) =>
    run('check-in', number, '--url', house.url, '--token', kiosk, ...more)
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(house.url + path, {
      method,
      headers: { Authorization: 'Bearer demo', 'Content-Type': 'application/vnd.api+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, text)
    return text === '' ? null : JSON.parse(text)
  }

  let first = ''
  let room = ''

  it('is let in, and his card opens his room and the common doors, and no other room', async () => {
    const { code, stdout, stderr } = await checkIn(' np-1001 ')
    assert.equal(code, 0, stderr)
    room = /^Room (\d+) is assigned\.$/m.exec(stdout)?.[1] ?? ''
    assert.match(stdout, /^Found .*: Ines Almeida, /)
    assert.match(stdout, /^Outstanding: 109\.00 EUR\.$/m)
    assert.match(stdout, /^Checked in\.$/m)
    assert.match(stdout, /The card was taken\. Have a good stay!\n$/)
    first = cards()[0]!
    assert.equal((await door()).code, 0)
    assert.equal((await door(room)).code, 0)
    assert.equal((await door('Entrance')).code, 0)
    const other = await door(room === '203' ? '204' : '203')
    assert.equal(other.code, 1)
    assert.match(other.stdout, /stays shut \(a key of another door\)\.\n$/)
    assert.equal((await door('Pool')).code, 1)
  })

  it('finds the door shut after the stay, and before it', async () => {
    assert.match((await door(room, '--at', '2020-01-01 12:00')).stdout, /the window has not begun/)
    assert.match((await door(room, '--at', '2099-01-01T12:00:00Z')).stdout, /the window is over/)
    assert.equal((await door(room, '--at', 'noon')).code, 64)
  })

  it('is replaced by the next guest, whose card ends the old one', async () => {
    const [unit] = (await ask('GET', `/api/v2/units?filter[name]=${room}`)).data
    const found = await ask('GET', '/api/v2/reservations?filter[reservationIds.searchForm]=NP-1001')
    const [old] = found.data[0].attributes.stays
    const [house] = (await ask('GET', '/api/config/v1/settings')).data
    await ask('PATCH', `/api/config/v1/settings/${house.id}`, { allowOpenBalance: true })
    const stays = `/api/v2/reservations/${found.data[0].id}/stays`
    await ask('PATCH', `${stays}/${old.id}`, { status: 'CheckedOut' })
    await ask('PATCH', `/api/v2/units/${unit.id}`, { status: 'Clean' })
    await ask('POST', '/api/v2/reservations', {
      stays: [
        {
          startDate: old.startDate,
          endDate: old.endDate,
          status: 'Confirmed',
          personCount: { adults: 1 },
          units: [{ unitTypeId: unit.attributes.unitTypeId, unitId: unit.id }],
          reservationIds: [{ type: 'Confirmation', value: 'NEXT-1' }],
        },
      ],
    })
    const next = await checkIn('NEXT-1')
    assert.equal(next.code, 0, next.stderr)
    assert.match(next.stdout, new RegExp(`^Room ${room} is assigned already\\.$`, 'm'))
    assert.match(next.stdout, /a guest without a name/)
    const second = cards().find((card) => card !== first)!
    assert.equal((await door(room, '--card', first)).code, 0)
    assert.match(
      (await door(room, '--card', second)).stdout,
      /opens \(.*older keys of this door no longer do\)/,
    )
    const tried = await door(room, '--card', first)
    assert.equal(tried.code, 1)
    assert.match(tried.stdout, /a newer one was used here/)
  })

  it('gets a new card for a lost one', async () => {
    const before = cards().length
    const again = await checkIn('NEXT-1')
    assert.equal(again.code, 0, again.stderr)
    assert.match(again.stdout, /already checked in/)
    assert.equal(cards().length, before + 1)
  })

  it('is told which card or door is not there', async () => {
    const noCard = join(path, 'no-card.json')
    writeFileSync(noCard, '{"uid": "00"}')
    const broken = join(path, 'broken.json')
    writeFileSync(broken, '{')
    const cases: [number, RegExp, string[]][] = [
      [66, /has a door 999/, ['999', '--data', data]],
      [66, /Is .* the data folder\?/, [room, '--data', path, '--card', first]],
      [66, /There is no card in/, [room, '--data', path]],
      [66, /There is no card .*nothing\.json/, [room, '--data', data, '--card', join(path, 'nothing.json')]],
      [65, /is not a card file/, [room, '--data', data, '--card', noCard]],
      [65, /is not a card file/, [room, '--data', data, '--card', broken]],
    ]
    for (const [expected, sentence, args] of cases) {
      const { code, stderr } = await run('door', ...args)
      assert.equal(code, expected, stderr)
      assert.match(stderr, sentence)
    }
  })

  it('is let in at a kiosk, with number and name', async () => {
    const alone = await atKiosk('NP-1010')
    assert.deepEqual([alone.code, alone.stdout], [77, ''])
    assert.match(alone.stderr, /Add the last name: --name\.$/m)
    assert.equal((await atKiosk('NP-1010', '--name', 'Haddad')).code, 66)
    const { code, stdout, stderr } = await atKiosk('NP-1010', '--name', 'tanaka')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Found NP-1010: Yuki Tanaka, /)
    assert.match(stdout, /The card was taken\. Have a good stay!\n$/)
  })
})

describe('what stands in the way of a check-in', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
  })
  after(() => house.stop())

  const checkIn = (number: string, ...options: string[]) =>
    run('check-in', number, '--url', house.appliance.url, ...options)

  it('no appliance: 69', async () => {
    const { code, stderr } = await run('check-in', 'NP-1001', '--url', 'http://127.0.0.1:1')
    assert.equal(code, 69)
    assert.match(
      stderr,
      /^nightporter: No appliance answers at http:\/\/127\.0\.0\.1:1 .*nightporter serve\n$/,
    )
  })

  it('no booking, or no encoder of that name: 66', async () => {
    assert.equal((await checkIn('NP-9999')).code, 66)
    const { code, stderr } = await checkIn('NP-1002', '--controller', 'Nowhere')
    assert.equal(code, 66)
    assert.match(stderr, /there is: Lobby kiosk/)
  })

  it('an unknown token, given or in the environment: 77', async () => {
    assert.equal((await checkIn('NP-1001', '--token', 'wrong')).code, 77)
    const { code } = await runWith(
      { NIGHTPORTER_TOKEN: 'wrong' },
      'check-in',
      'NP-1001',
      '--url',
      house.appliance.url,
    )
    assert.equal(code, 77)
  })

  it('a rule of the house: 1, and the desk decides', async () => {
    const found = await house.ask('GET', '/api/v2/reservations?filter[reservationIds.searchForm]=NP-1003')
    const [{ id, attributes }] = found.body.data
    await house.ask('PATCH', `/api/v2/reservations/${id}/stays/${attributes.stays[0].id}`, {
      body: { status: 'Canceled' },
    })
    const { code, stderr } = await checkIn('NP-1003')
    assert.equal(code, 1)
    assert.match(stderr, /is Canceled/)
  })

  it('a balance that is due, at a kiosk: 1, and the desk takes the payment', async () => {
    const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'K', role: 'kiosk' } })
    const { code, stderr } = await checkIn('NP-1007', '--name', 'García', '--token', made.body.meta.token)
    assert.equal(code, 1)
    assert.match(stderr, /There is an outstanding balance/)
  })

  it('a card that is no good: it is captured, and another one is made', async () => {
    house.lobby.encoder.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code: '0000' })
    const bin = house.lobby.dispenser.bin.length
    const { code, stdout, stderr } = await checkIn('NP-1004')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /The card failed/)
    assert.equal(house.lobby.dispenser.bin.length, bin + 1)
  })

  it('an empty dispenser: 74, with what guest and desk can do', async () => {
    const cards = house.lobby.dispenser.stack.splice(0)
    const { code, stderr } = await checkIn('NP-1005')
    house.lobby.dispenser.stack.push(...cards)
    assert.equal(code, 74)
    assert.match(stderr, /^Guest: Please (ask at|go to) the front desk\./m)
    assert.match(stderr, /^Desk: Lobby dispenser: Open the stacker and fill in cards\.$/m)
    assert.match(stderr, /^nightporter: The stacker is empty\.$/m)
  })

  it('a card that nobody takes: 75, and its key is blocked', async () => {
    house.lobby.dispenser.takenAfterMs = null
    const left = checkIn('NP-1006')
    while (house.lobby.dispenser.at !== 'gate') await new Promise((resolve) => setTimeout(resolve, 10))
    const over = setInterval(() => house.clock.advance(5_000), 50)
    const { code, stderr } = await left
    clearInterval(over)
    house.lobby.dispenser.takenAfterMs = 0
    assert.equal(code, 75, stderr)
    assert.match(stderr, /was not taken/)
  })
})
