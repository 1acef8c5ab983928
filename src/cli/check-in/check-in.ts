import { localDate, localTime } from '../../host/zone.ts'
import { toDecimal } from '../../resource/values/currency.ts'
import { lettersOf } from '../../resource/values/letters.ts'
import { fullName, type PersonName } from '../../resource/values/person-name.ts'
import { ApplianceRefusal, type Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import { type Controller, chooseController, guestWords, makeCard, takenCard } from './guest-card.ts'

interface StayAttributes {
  startDate: string
  startTime: string | null
  endDate: string
  endTime: string | null
  status: string
  plannedStartsAt: string
  externalId: string | null
  units: { unitId: string | null; unitName: string | null }[]
  reservationIds: { type: string; value: string }[]
  profiles: { id: string; role: string }[]
  /** Minor units of the currency. */
  outstanding: number | null
  currency: string | null
}

interface Found {
  reservationId: string
  stayId: string
  stay: StayAttributes
}

export interface CheckInOptions {
  /** The last name of the guest. */
  name?: string
  /** The name or the id of the encoder. */
  controller?: string
}

interface ReservationPage {
  data: { id: string; attributes: { stays: (StayAttributes & { id: string })[] } }[]
}

/**
 * Checks in the guest with this confirmation number and last name, and prints one line per step. Only the token of a kiosk needs the
 * name. On a refusal, prints what the guest and the front desk should do, and throws the error.
 */
export async function checkIn(
  ask: Client,
  confirmation: string,
  { name, controller: wanted }: CheckInOptions,
): Promise<void> {
  try {
    const found = await findStay(ask, confirmation, name)
    const { startDate, endDate } = found.stay
    console.log(`Found ${confirmation}: ${await nameOf(ask, found)}, ${startDate} to ${endDate}.`)
    sayOpenBalance(found)
    const ready = await inHouse(ask, await withRoom(ask, found))
    const controller = await chooseController(ask, wanted)
    for (const { unitName } of ready.stay.units) await handOut(ask, controller, ready, unitName!)
  } catch (error) {
    if (error instanceof ApplianceRefusal)
      for (const line of await guestWords(ask, error)) console.error(line)
    throw error
  }
}

/**
 * Returns the stay with this confirmation number. If several stays have it, returns the one that is Confirmed or
 * InHouse. Throws CommandFailed.
 */
async function findStay(ask: Client, confirmation: string, name?: string): Promise<Found> {
  const number = lettersOf(confirmation)
  const byNumber = `filter[reservationIds.searchForm]=${encodeURIComponent(confirmation)}`
  const byName = name === undefined ? '' : `&filter[profile.normalizedName][like]=${encodeURIComponent(name)}`
  const { body } = await ask<ReservationPage>('GET', `/api/v2/reservations?${byNumber}${byName}`)
  const all = body.data.flatMap(({ id, attributes: { stays } }) =>
    stays.map((stay) => ({ reservationId: id, stayId: stay.id, stay })),
  )
  // A kiosk sees a stay whose guest it does not know without the numbers.
  if (all.some(({ stay }) => !stay.reservationIds))
    throw new CommandFailed(
      'permission',
      'The token is that of a kiosk, which must know its guest. Add the last name: --name.',
    )
  const named = all.filter(({ stay }) => stay.reservationIds.some(({ value }) => lettersOf(value) === number))
  const open = named.find(({ stay }) => ['Confirmed', 'InHouse'].includes(stay.status))
  if (open) return open
  const [ended] = named
  if (ended)
    throw new CommandFailed(
      'refused',
      `The booking ${confirmation} cannot be checked in: its stay is ${ended.stay.status}.`,
    )
  throw new CommandFailed('missing', `There is no booking with the number ${confirmation}.`)
}

const nameless = 'a guest without a name'

async function nameOf(ask: Client, { stay }: Found): Promise<string> {
  const guest = stay.profiles.find(({ role }) => role === 'PrimaryGuest') ?? stay.profiles[0]
  if (!guest) return nameless
  const { body } = await ask<{ data: { attributes: PersonName } }>('GET', `/api/v2/profiles/${guest.id}`)
  return fullName(body.data.attributes) || nameless
}

function sayOpenBalance({ stay: { outstanding, currency } }: Found): void {
  if (!outstanding || outstanding < 0 || !currency) return
  console.log(`Outstanding: ${toDecimal(outstanding, currency)} ${currency}.`)
}

const pathOf = ({ reservationId, stayId }: Found) => `/api/v2/reservations/${reservationId}/stays/${stayId}`

async function withRoom(ask: Client, found: Found): Promise<Found> {
  const had = found.stay.units.every(({ unitId }) => unitId)
  const stay = had ? found.stay : await assigned(ask, found)
  const names = stay.units.map(({ unitName }) => unitName).join(' and ')
  console.log(`Room ${names} is ${had ? 'assigned already' : 'assigned'}.`)
  return { ...found, stay }
}

async function assigned(ask: Client, found: Found): Promise<StayAttributes> {
  const { body } = await ask<{ data: { attributes: StayAttributes } }>(
    'POST',
    `${pathOf(found)}/unit-assignment`,
  )
  return body.data.attributes
}

/**
 * Sets the status with a PUT of the whole stay. The If-Match header makes it fail if the stay was changed since it was
 * read.
 */
async function inHouse(ask: Client, found: Found): Promise<Found> {
  if (found.stay.status === 'InHouse') {
    console.log('The guest is already checked in. If a card was made before, the new one replaces it.')
    return found
  }
  const path = pathOf(found)
  const { body, etag } = await ask<{ data: { attributes: StayAttributes } }>('GET', path)
  const stay = { ...body.data.attributes, status: 'InHouse' }
  await ask('PUT', path, { body: stay, headers: { 'If-Match': etag ?? '*' } })
  console.log('Checked in.')
  return { ...found, stay }
}

async function handOut(ask: Client, controller: Controller, found: Found, unitName: string): Promise<void> {
  const house = await houseAt(ask)
  const order = { type: controller.keyType, unitName, original: true, ...windowOf(found, house) }
  const key = await makeCard(ask, controller, order)
  const { uid, validFrom, validUntil } = key.attributes
  const [from, until] = [validFrom, validUntil].map((instant) => shown(Date.parse(instant), house))
  console.log(`Card ${uid} made at ${controller.name} and verified: room ${unitName}, ${from} to ${until}.`)
  if (!controller.dispenserId) return console.log('Please take the card from the encoder.')
  console.log('Please take the card from the dispenser.')
  await takenCard(ask, key.id)
  console.log('The card was taken. Have a good stay!')
}

interface HouseClock {
  now: number
  zone: string
}

/** Returns the appliance's time and the property's time zone. */
async function houseAt(ask: Client): Promise<HouseClock> {
  const [status, settings] = await Promise.all([
    ask<{ data: { attributes: { time: string } } }>('GET', '/api/v2/status'),
    ask<{ data: { attributes: { timeZone: string } }[] }>('GET', '/api/config/v1/settings'),
  ])
  return {
    now: Date.parse(status.body.data.attributes.time),
    zone: settings.body.data[0]!.attributes.timeZone,
  }
}

/** Returns the validity of the key: that of the stay. On the arrival date before check-in time, it starts now. */
function windowOf({ stay, stayId }: Found, { now, zone }: HouseClock) {
  const { startDate, startTime, endDate, endTime, plannedStartsAt, externalId } = stay
  const early = now < Date.parse(plannedStartsAt) && localDate(now, zone) === startDate
  if (early) console.log('Check-in is before the usual hour. The key opens from now on.')
  const from = early ? localTime(now, zone) : startTime
  return {
    startDate,
    ...(from !== null && { startTime: from }),
    endDate,
    ...(endTime !== null && { endTime }),
    externalId: externalId ?? stayId,
  }
}

function shown(instant: number, { zone }: HouseClock): string {
  return `${localDate(instant, zone)} ${localTime(instant, zone)}`
}
