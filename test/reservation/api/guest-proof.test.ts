import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../../appliance.ts'
import fc from '../../seed.ts'
import { type MadeStay, openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'

const minute = 60_000

let house: ReservationHouse
let kiosk: string
let numbers = 0
/** The guest of a test: what is printed on the confirmation, and what is on file. */
let ana: MadeStay & { number: string }
const file = {
  emails: [{ address: 'Ana.Souza@example.com', type: 'Private', primary: true }],
  phoneNumbers: [{ number: '+351 912 345 678', type: 'Mobile' }],
  addresses: [{ postalCode: '1200-195', city: 'Lisboa', country: 'PT' }],
}

before(async () => {
  house = await openHouse()
})
after(() => house.stop())
beforeEach(async () => {
  kiosk = await house.tokenOf('kiosk')
  ana = await guest('Ana', `Souza ${letters()}`, file)
})

const letters = () => String.fromCharCode(97 + (numbers % 26), 97 + Math.floor(numbers / 26), 122)

async function guest(firstName: string, lastName: string, more: object = {}): Promise<typeof ana> {
  const number = `GP-${++numbers}`
  const made = await house.told({
    reservationIds: [{ type: 'Confirmation', value: number }],
    profiles: [{ role: 'PrimaryGuest', firstName, lastName, ...more }],
  })
  return { ...made, number }
}

type Said = Partial<Record<'number' | 'name' | 'arrival' | 'onFile', string>>
const paths = {
  number: 'reservationIds.searchForm',
  name: 'profile.normalizedName][like',
  arrival: 'arrival',
  onFile: 'profile.onFile',
}

/** What the kiosk is told when the guest says this. */
async function says(said: Said, token = kiosk): Promise<Reply> {
  const query = Object.entries(said).map(
    ([name, value]) => `filter[${paths[name as keyof Said]}]=${encodeURIComponent(value)}`,
  )
  const reply = await house.ask('GET', `/api/v2/reservations?${query.join('&')}&include=stays.profiles`, {
    token,
  })
  assert.equal(reply.status, 200, reply.text)
  return reply
}

const provenBy = async (said: Said, token = kiosk): Promise<string[]> =>
  (await says(said, token)).body.meta.proven

const nameOf = async (stay: MadeStay): Promise<string> => {
  const [{ id }] = (await house.attributes(stay.path)).profiles
  return (await house.attributes(`/api/v2/profiles/${id}`)).lastName
}

const isKnown = async ({ path }: MadeStay, token = kiosk) =>
  (await house.ask('GET', path, { token })).status === 200

/** Every request of a kiosk about one stay. */
async function requests({ path, id, reservation }: MadeStay) {
  const { profiles } = await house.attributes(path)
  const pay = { currency: 'EUR', amount: 1, brand: 'Visa', terminalTransactionId: id }
  return [
    ['GET', path],
    ['GET', `/api/v2/stays/${id}`],
    ['GET', reservation],
    ['GET', `${reservation}/stays`],
    ['GET', `/api/v2/profiles/${profiles[0].id}`],
    ['PUT', `/api/v2/profiles/${profiles[0].id}`, { firstName: 'Eve', lastName: 'Adams' }],
    ['PATCH', path, { guestComment: 'Hello' }],
    ['PATCH', path, { status: 'InHouse' }],
    ['POST', `${path}/unit-assignment`],
    ['POST', `${reservation}/unit-assignments`],
    ['POST', `${path}/actions/record-payment`, pay],
    ['POST', `${reservation}/actions/record-payment`, pay],
    ['POST', `/api/v2/stays/${id}/actions/pay-at-terminal`],
    ['POST', `/api/v2/stays/${id}/actions/cancel-terminal-payment`],
    ['GET', `/api/v2/stays/${id}/terminal-payment`],
  ] as const
}

describe('a stay that a guest has found at a kiosk', () => {
  const halves: [by: string, said: (name: string) => Said][] = [
    ['a number', () => ({ number: ana.number })],
    ['a name and the day', (name) => ({ name, arrival: today })],
  ]
  for (const [by, said] of halves) {
    it(`by ${by} alone is not his yet: it shows nothing that he has to say, and can be asked for nothing`, async () => {
      const name = await nameOf(ana)
      const { body, text } = await says(said(name))
      assert.deepEqual(body.meta.proven, [])
      assert.deepEqual(body.data, [
        {
          type: 'reservation',
          id: ana.reservation.split('/').at(-1),
          attributes: {
            stays: [
              {
                id: ana.id,
                reservationId: ana.reservation.split('/').at(-1),
                startDate: today,
                endDate: tomorrow,
                status: 'Confirmed',
              },
            ],
          },
        },
      ])
      assert.deepEqual(body.included, [])
      const { links: _, ...shown } = body
      assert.doesNotMatch(JSON.stringify(shown), /GP-|Souza|Ana|912 ?345/, text)
      for (const [method, path, asked] of await requests(ana)) {
        const reply = await house.ask(method, path, { token: kiosk, ...(asked && { body: asked }) })
        refused(reply, 403, 'kiosk-scope')
      }
    })
  }

  it('is his by number and last name, at once or one after the other, whichever comes first', async () => {
    const name = await nameOf(ana)
    assert.deepEqual(await provenBy({ number: ana.number, name }), [ana.id])
    for (const order of [
      [{ number: ana.number }, { name, arrival: today }],
      [{ name, arrival: today }, { number: ana.number }],
    ]) {
      const token = await house.tokenOf('kiosk')
      assert.deepEqual(await provenBy(order[0]!, token), [])
      assert.deepEqual(await provenBy(order[1]!, token), [ana.id])
      assert.equal(await isKnown(ana, token), true)
    }
  })

  it('shows him his booking, and lets him check in', async () => {
    const { body } = await says({ number: ana.number, name: await nameOf(ana) })
    const [found] = body.data
    assert.equal(found.attributes.stays[0].reservationIds[0].value, ana.number)
    assert.deepEqual(
      body.included.map(({ type }: { type: string }) => type),
      ['stay', 'profile'],
    )
    for (const path of [ana.path, `/api/v2/stays/${ana.id}`, ana.reservation, `${ana.reservation}/stays`])
      assert.equal((await house.ask('GET', path, { token: kiosk })).status, 200, path)
    const comment = { body: { guestComment: 'A quiet room' }, token: kiosk }
    assert.equal((await house.ask('PATCH', ana.path, comment)).status, 204)
  })

  for (const [what, said] of [
    ['the e-mail address', 'ana.souza@EXAMPLE.com'],
    ['the last four digits of the telephone number', '5678'],
    ['the telephone number as it is dialled', '0912 345 678'],
    ['the postcode', '1200 195'],
  ] as const) {
    it(`is his by name, day and ${what}`, async () => {
      const name = await nameOf(ana)
      assert.deepEqual(await provenBy({ name, arrival: today, onFile: said }), [ana.id])
    })
  }

  it('is his by the number and what is on file, for a name that he cannot type', async () => {
    const li = await guest('伟明', '王', { phoneNumbers: [{ number: '+86 138 1234 5678', type: 'Mobile' }] })
    assert.deepEqual(await provenBy({ number: li.number }), [])
    assert.deepEqual(await provenBy({ number: li.number, onFile: '5678' }), [li.id])
  })

  for (const said of ['678', '5679', 'ana.souza@example.org', '1200', '-', '+351']) {
    it(`is not found with ${said} on file`, async () => {
      const { body } = await says({ name: await nameOf(ana), arrival: today, onFile: said })
      assert.deepEqual([body.data, body.meta.proven], [[], []])
    })
  }

  it('is not his by a number that was wrong, then name and day', async () => {
    assert.deepEqual((await says({ number: 'GP-0' })).body.data, [])
    assert.deepEqual(await provenBy({ name: await nameOf(ana), arrival: today }), [])
    assert.equal(await isKnown(ana), false)
  })

  it('is not his by the number of another', async () => {
    const other = await guest('Bea', 'Lund')
    assert.deepEqual(await provenBy({ number: other.number }), [])
    assert.deepEqual(await provenBy({ name: await nameOf(ana), arrival: today }), [])
    assert.deepEqual((await says({ number: other.number, name: await nameOf(ana) })).body.data, [])
  })

  it('shows no other stay of the booking, nor lets him read it', async () => {
    const { unitTypeId } = await house.rooms(1)
    const made = await house.ask('POST', `${ana.reservation}/stays`, {
      body: {
        startDate: today,
        endDate: tomorrow,
        status: 'Confirmed',
        personCount: { adults: 1 },
        units: [{ unitTypeId }],
        reservationIds: [
          { type: 'Confirmation', value: ana.number },
          { type: 'Voucher', value: 'OTHER-99' },
        ],
        profiles: [{ role: 'PrimaryGuest', firstName: 'Bob', lastName: 'Betaman' }],
      },
    })
    assert.equal(made.status, 201, made.text)
    const name = await nameOf(ana)
    const number = await says({ number: ana.number })
    assert.equal(number.body.data[0].attributes.stays.length, 2)
    const own = await says({ number: ana.number, name })
    assert.deepEqual(own.body.meta.proven, [ana.id])
    assert.doesNotMatch(own.text, /Betaman|Bob|OTHER-99/)
    assert.ok(!own.text.includes(made.body.data.id))
    const whole = await house.ask('GET', `${ana.reservation}?include=stays.profiles`, { token: kiosk })
    assert.equal(whole.body.data.attributes.stays.length, 1)
    assert.doesNotMatch(whole.text, /Betaman|Bob|OTHER-99/)
    const other = `${ana.reservation}/stays/${made.body.data.id}`
    refused(await house.ask('GET', other, { token: kiosk }), 403, 'kiosk-scope')
    for (const path of [
      `${ana.reservation}/stays`,
      `${ana.path}?include=reservation`,
      `${ana.path}?include=profiles&include=reservation.stays.profiles`,
    ])
      refused(await house.ask('GET', path, { token: kiosk }), 403, 'kiosk-scope')
  })
})

describe('a caller that may read every reservation', () => {
  it('needs no proof for what a kiosk may do', async () => {
    const token = await house.tokenOf('kiosk', ['reservations.read'])
    for (const [method, path] of [
      ['GET', ana.path],
      ['GET', (await requests(ana))[4]![1]],
      ['POST', `${ana.path}/unit-assignment`],
    ] as const)
      assert.ok((await house.ask(method, path, { token })).status < 300, path)
  })

  it('is let to a guest with a hundred past stays', async () => {
    const token = await house.tokenOf('kiosk', ['reservations.read'])
    const [{ id }] = (await house.attributes(ana.path)).profiles
    const past = await Promise.all(
      Array.from({ length: 100 }, () => house.told({ profiles: [{ id, role: 'PrimaryGuest' }] })),
    )
    for (const { path } of past) await house.ask('PATCH', path, { body: { status: 'Canceled' } })
    const name = await nameOf(ana)
    assert.deepEqual(await provenBy({ number: ana.number, name }), [ana.id])
    for (const each of [token, kiosk])
      assert.equal((await house.ask('GET', `/api/v2/profiles/${id}`, { token: each })).status, 200)
  })
})

describe('a search at a kiosk', () => {
  it('knows a guest by the last name, and by no particle or booker of it', async () => {
    const number = `PART-${numbers}`
    const made = await house.told({
      reservationIds: [{ type: 'Confirmation', value: number }],
      profiles: [
        { role: 'PrimaryGuest', firstName: 'Jan', lastName: 'van der Berg' },
        { role: 'Booker', firstName: 'Office', lastName: 'Reisewelt GmbH' },
      ],
    })
    for (const name of ['van', 'der', 'Jan', 'Reisewelt'])
      assert.deepEqual((await says({ number, name })).body.data, [], name)
    for (const name of ['van der Berg', 'Berg', 'Jan Berg', 'vanderberg'])
      assert.deepEqual(await provenBy({ number, name }), [made.id], name)
  })

  it('asks for nothing but what a guest says: a further filter would tell the rest', async () => {
    const search = `filter[profile.lastName]=${encodeURIComponent(await nameOf(ana))}&filter[arrival]=${today}`
    for (const more of [
      'filter[reservationIds.value][like]=GP',
      'filter[stays.profiles.phoneNumbers][like]=5678',
      'filter[status]=Confirmed',
      'filter[profile.lastName][ne]=Adams',
    ]) {
      const reply = await house.ask('GET', `/api/v2/reservations?${search}&${more}`, { token: kiosk })
      assert.ok(reply.status === 403 || reply.status === 400, `${more}: ${reply.text}`)
    }
  })

  it('finds nothing on another day', async () => {
    const name = await nameOf(ana)
    for (const said of [{ number: ana.number }, { number: ana.number, name }, { name }])
      assert.deepEqual((await says({ ...said, arrival: tomorrow })).body.data, [])
  })

  it('finds what is on file only beside something else', async () => {
    const path = `/api/v2/reservations?filter[arrival]=${today}&filter[profile.onFile]=5678`
    refused(await house.ask('GET', path, { token: kiosk }), 403, 'kiosk-scope')
  })

  it('is no filter of the front desk, which sees everything', async () => {
    const token = await house.tokenOf('frontdesk')
    const found = await house.ask('GET', `/api/v2/reservations?filter[reservationIds.value]=${ana.number}`, {
      token,
    })
    assert.equal(found.body.data[0].attributes.stays[0].reservationIds[0].value, ana.number)
    const onFile = await house.ask('GET', '/api/v2/reservations?filter[profile.onFile]=5678', { token })
    assert.equal(onFile.status, 400, onFile.text)
  })
})

describe('the proof of a guest', () => {
  const prove = async (token = kiosk) =>
    assert.deepEqual(await provenBy({ number: ana.number, name: await nameOf(ana) }, token), [ana.id])

  it('is that of one kiosk, and ends with the search of the next guest', async () => {
    await prove()
    assert.equal(await isKnown(ana, await house.tokenOf('kiosk')), false)
    const next = await guest('Bea', 'Lund')
    assert.deepEqual(await provenBy({ number: next.number }), [])
    assert.equal(await isKnown(ana), false)
  })

  it('is not that of the next guest, who has seen one half of it', async () => {
    const name = await nameOf(ana)
    for (const half of [{ number: ana.number }, { name, arrival: today }]) {
      await prove()
      assert.deepEqual(await provenBy(half), [])
      assert.equal(await isKnown(ana), false)
    }
  })

  it('ends after five minutes in which nobody asked for the stay', async () => {
    await prove()
    house.clock.advance(4 * minute)
    assert.equal(await isKnown(ana), true)
    house.clock.advance(4 * minute)
    assert.equal(await isKnown(ana), true)
    house.clock.advance(5 * minute)
    assert.equal(await isKnown(ana), false)
  })

  it('needs both halves within five minutes', async () => {
    await says({ number: ana.number })
    house.clock.advance(5 * minute)
    assert.deepEqual(await provenBy({ name: await nameOf(ana), arrival: today }), [])
  })

  it('outlives a power cut of some minutes', async () => {
    await prove()
    await house.restart()
    assert.equal(await isKnown(ana), true)
    house.clock.advance(6 * minute)
    assert.equal(await isKnown(ana), false)
    await prove()
    house.clock.advance(4 * minute)
    assert.equal(await isKnown(ana), true)
    await house.restart()
    house.clock.advance(4 * minute)
    assert.equal(await isKnown(ana), true)
    await house.restart()
    house.clock.advance(10 * minute)
    assert.equal(await isKnown(ana), false)
  })

  const refusedFor = async (said: Said, token = kiosk) => {
    const query = Object.entries(said).map(
      ([name, value]) => `filter[${paths[name as keyof Said]}]=${encodeURIComponent(value)}`,
    )
    const reply = await house.ask('GET', `/api/v2/reservations?${query.join('&')}`, { token })
    refused(reply, 403, 'kiosk-scope', undefined, { guest: 'desk' })
    return reply.body.errors[0].detail
  }

  it('is not taken for a quarter of an hour after five wrong answers, at no kiosk, and no answer says what is right', async () => {
    const name = await nameOf(ana)
    const wrong = (digits: string, token = kiosk) => says({ name, arrival: today, onFile: digits }, token)
    for (let times = 1; times <= 5; times++) await wrong(`000${times}`)
    const token = await house.tokenOf('kiosk')
    const answers = await Promise.all(
      ['5678', '0006'].map((onFile) => refusedFor({ name, arrival: today, onFile }, token)),
    )
    assert.equal(answers[0], answers[1])
    await refusedFor({ number: ana.number, name }, token)
    assert.equal(await isKnown(ana, token), false)
    house.clock.advance(15 * minute)
    assert.deepEqual(await provenBy({ name, arrival: today, onFile: '5678' }, token), [ana.id])
  })

  it('is not taken after five wrong answers for guests of one name, nor one step after the other', async () => {
    const many = await Promise.all([1, 2, 3, 4].map(() => guest('Zoe', 'Zwilling')))
    const twin = { name: 'Zwilling', arrival: today }
    for (let times = 1; times <= 5; times++) await says({ ...twin, onFile: `000${times}` })
    await refusedFor({ number: many[0]!.number, name: 'Zwilling' })
    const name = await nameOf(ana)
    for (let times = 1; times <= 5; times++) {
      await says({ name, arrival: today })
      await says({ number: `NONE-${times}` })
    }
    await refusedFor({ name, arrival: today })
  })

  it('is taken from the others of a group whatever one of them mistypes', async () => {
    const value = `GROUP-${numbers}`
    const { unitTypeId } = await house.rooms(5)
    const members = ['Able', 'Baker', 'Cargo', 'Delta'].map((lastName) =>
      house.stay({
        units: [{ unitTypeId }],
        reservationIds: [{ type: 'Group', value }],
        profiles: [{ role: 'PrimaryGuest', firstName: 'Max', lastName }],
      }),
    )
    const [first] = await Promise.all(members)
    for (let times = 1; times <= 6; times++) await says({ number: value, name: `Wrong${times}` })
    assert.deepEqual(await provenBy({ number: value, name: 'Able' }), [first!.id])
  })

  it('is taken at no kiosk that has searched for what is not there twenty times', async () => {
    for (let times = 1; times <= 20; times++) await says({ number: `NONE-${times}` })
    await refusedFor({ number: ana.number, name: await nameOf(ana) })
    await prove(await house.tokenOf('kiosk'))
    house.clock.advance(15 * minute)
    await prove()
  })

  it('is taken after four, and the next ones count anew', async () => {
    const name = await nameOf(ana)
    for (let round = 1; round <= 2; round++) {
      for (let wrong = 1; wrong <= 4; wrong++) await says({ name, arrival: today, onFile: `000${wrong}` })
      await prove()
    }
  })

  /** What a guest says wrong of a stay: a word that is changed, or left as it is. */
  const wrongs: Readonly<Record<string, (guest: typeof ana, name: string, word: string) => Said>> = {
    'what is on file': (_, name, word) => ({ name, arrival: today, onFile: word }),
    'the name after the number': ({ number }, _, word) => ({ number, name: word }),
    'an e-mail address': (_, name, word) => ({ name, arrival: today, onFile: `${word}@example.com` }),
    'a postcode': (_, name, word) => ({ name, arrival: today, onFile: `9999-${word}` }),
    'name and number, and something on file': ({ number }, name, word) => ({ number, name, onFile: word }),
  }

  for (const [what, wrong] of Object.entries(wrongs))
    it(`is taken after one wrong answer that was pressed again and again: ${what}`, async () => {
      const name = await nameOf(ana)
      for (let times = 1; times <= 25; times++) await says(wrong(ana, name, 'Wrongly'))
      await prove()
    })

  it('is taken after one number that was pressed twenty-five times, and is not there', async () => {
    for (let times = 1; times <= 25; times++) await says({ number: 'NONE' })
    await prove()
  })

  it('is taken after one wrong answer in whatever case and with whatever spaces, and at two kiosks', async () => {
    const name = await nameOf(ana)
    const token = await house.tokenOf('kiosk')
    for (const onFile of ['ab 12', 'AB12', ' Ab 12', 'a b 1 2', 'aB12 ', 'AB\t12'])
      for (const at of [kiosk, token]) await says({ name, arrival: today, onFile }, at)
    await prove()
  })

  it('is not taken after five different wrong answers, however often each is repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[0-4]\d{3}$/), { minLength: 4, maxLength: 6 }),
        fc.array(fc.nat({ max: 3 }), { minLength: 6, maxLength: 6 }),
        async (different, repeats) => {
          kiosk = await house.tokenOf('kiosk')
          ana = await guest('Ana', `Seed ${letters()}`, file)
          const name = await nameOf(ana)
          const asks = { name, arrival: today }
          const pressed = different.slice(0, 5).flatMap((onFile, at) => Array(1 + repeats[at]!).fill(onFile))
          // The fifth different answer is the last one that is looked at.
          for (const [at, onFile] of pressed.entries())
            await (new Set(pressed.slice(0, at)).size < 5
              ? says({ ...asks, onFile })
              : refusedFor({ ...asks, onFile }, kiosk))
          if (different.length < 5) await prove()
          else await refusedFor({ ...asks, onFile: '5678' }, kiosk)
        },
      ),
      { numRuns: 8 },
    )
  })
})
