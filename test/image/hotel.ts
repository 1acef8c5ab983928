import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { source } from '../../image/places.ts'
import { longestStartMs, ports } from './answers.ts'
import { architecture } from './built.ts'
import type { Machine } from './machine.ts'

/**
 * Runs the program as another computer does that manages the box, and returns what it prints. Repeats it as long as a slow box
 * makes no connection.
 */
async function managed(args: readonly string[], token = ''): Promise<string> {
  const env = {
    ...process.env,
    NIGHTPORTER_URL: `https://127.0.0.1:${ports[443]}`,
    ...(token && { NIGHTPORTER_TOKEN: token }),
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  }
  const program = [join(source, 'src/nightporter.js'), ...args]
  for (const end = Date.now() + longestStartMs; ; await pause(2_000)) {
    const ran = await promisify(execFile)(process.execPath, program, { env }).catch((error: Error) => error)
    if (!(ran instanceof Error)) return ran.stdout.trim()
    if (!ran.message.includes('No appliance answers') || Date.now() > end) throw ran
  }
}

/** Returns the pairing code that a box shows at its serial line, as on its screen. */
export async function pairingCodeOf(box: Machine): Promise<string> {
  for (const end = Date.now() + longestStartMs; Date.now() < end; await pause(500)) {
    const code = [...box.serial().matchAll(/Pairing code {2}(\d{4}) (\d{4})/g)].at(-1)
    if (code) return code.slice(1).join('')
  }
  throw new Error('The box shows no pairing code.')
}

/** As `managed`, by the program of a box that has no network. */
async function managedInside(box: Machine, args: readonly string[], token = ''): Promise<string> {
  const env = `NODE_TLS_REJECT_UNAUTHORIZED=0 NIGHTPORTER_URL=https://127.0.0.1 NIGHTPORTER_TOKEN=${token}`
  return box.shell(`${env} /opt/nightporter/nightporter ${args.map((each) => `'${each}'`).join(' ')}`)
}

/** Pairs with the code on the screen of a box, sets up a hotel from the text of a set-up file, and returns the token. */
export async function pairedAndSetUp(box: Machine, hotel: string): Promise<string> {
  if (architecture() === 'pi') {
    await put(box, '/run/hotel.yaml', hotel)
    const screen = await box.shell('/opt/nightporter/nightporter box screen')
    const code = /Pairing code {2}(\d{4}) (\d{4})/.exec(screen)?.slice(1).join('') ?? 'none'
    const given = await managedInside(box, ['token', 'pair', code, '--name', 'Installer'])
    await managedInside(box, ['setup', '/run/hotel.yaml'], given)
    return given
  }
  const file = join(box.folder, 'hotel.yaml')
  writeFileSync(file, hotel)
  const token = await managed(['token', 'pair', await pairingCodeOf(box), '--name', 'Installer'])
  await managed(['setup', file], token)
  return token
}

interface Sheet {
  data: { attributes: { words: string[]; asked: number[] } }
}

/** Makes the recovery sheet of a box, types four words back, and returns its words. */
export async function keptSheet(box: Machine, token: string): Promise<string> {
  const sheet = '/api/config/v1/recovery-sheet/actions'
  const { words, asked } = (await box.ask<Sheet>('POST', `${sheet}/begin`, token)).data.attributes
  await box.ask('POST', `${sheet}/confirm`, token, { words: asked.map((number) => words[number - 1]) })
  return words.join(' ')
}

/** Writes a file of the machine. */
export async function put(box: Machine, path: string, content: string | Uint8Array): Promise<void> {
  // An argument of a command has at most 128 kB.
  const text = Buffer.from(content).toString('base64')
  await box.shell(`: >${path}`)
  for (let from = 0; from < text.length; from += 80_000)
    await box.shell(`echo ${text.slice(from, from + 80_000)} | base64 -d >>${path}`)
}

/** Sets members of the settings file of a box, and starts its service again. */
export async function configure(box: Machine, settings: object): Promise<void> {
  const file = '/var/lib/nightporter/nightporter.json'
  const present = JSON.parse(await box.shell(`cat ${file} 2>/dev/null || echo {}`)) as object
  await put(box, file, JSON.stringify({ ...present, ...settings }))
  await box.shell(
    `chown nightporter:nightporter ${file}; chmod 600 ${file}; systemctl restart nightporter`,
    900_000,
  )
  await box.get('/readyz', { status: 200 })
}

/** A hotel of ten rooms without devices, as a set-up file. */
export const plainHotel = `
settings: { timeZone: Europe/Lisbon, country: PT }
property:
  name: Hotel do Porto
  code: PORTO
  address: { line1: Rua das Flores 1, postalCode: 4050-262, city: Porto, country: PT }
unitTypes: [{ code: DBL, name: Double room, maxOccupancy: 3 }]
rooms: 101-110 DBL
`

/** The same hotel as a set-up file, with a dispenser and its encoder at these addresses. The list of encoders is its end. */
export const lobbyHotel = (addresses: { dispenser: string; encoder: string }) => `${plainHotel}lockSystems:
  - name: Door locks
    driver: mifare-local
    connection: { siteId: 1, keyId: 1, commonDoors: { Entrance: 0 } }
    mapUnits: "{name}"
dispensers:
  - { name: Lobby, device: { driver: k720, path: "${addresses.dispenser}" } }
encoders:
  - name: Lobby kiosk
    lockSystem: Door locks
    dispenser: Lobby
    device: { driver: twn4, path: "${addresses.encoder}" }
`

/** What the status of a box has found for a check. */
export interface Found {
  observedValue: unknown
  output: string | null
}

interface Status {
  data: { attributes: { checks: Record<string, Found[]> } }
}

/** The first result of a check of the status of a box, such as `storage:commits`; undefined without one. */
export async function checkOf(box: Machine, token: string, check: string): Promise<Found | undefined> {
  const { checks } = (await box.ask<Status>('GET', '/api/v2/status', token)).data.attributes
  return checks[check]?.[0]
}

interface Documents {
  data: { id: string; attributes: object }[]
}

/** Books a room of the hotel. */
export async function book(box: Machine, token: string, number: string): Promise<void> {
  const [type] = (await box.ask<Documents>('GET', '/api/v2/unit-types', token)).data
  const stay = {
    ...{ startDate: '2027-03-01', endDate: '2027-03-04', status: 'Confirmed', personCount: { adults: 2 } },
    units: [{ unitTypeId: type!.id }],
    reservationIds: [{ type: 'Confirmation', value: number }],
  }
  await box.ask('POST', '/api/v2/reservations', token, { externalId: number, stays: [stay] })
}

const lists = [
  ...['config/v1/settings', 'config/v1/access-providers', 'config/v1/access-controllers'],
  ...[
    'config/v1/dispensers',
    'v2/properties',
    'v2/unit-types',
    'v2/units',
    'v2/reservations',
    'v2/access/keys',
  ],
]

/** The alarms of a machine come and go with its line, and each of them is a revision. */
const hasAlarms = ({ attributes }: Documents['data'][number]) => 'alarms' in attributes

const withoutAlarms = ({ attributes, ...rest }: Documents['data'][number]) => {
  const { alarms: _, revision: __, updatedAt: ___, ...kept } = attributes as Record<string, unknown>
  return { ...rest, attributes: kept }
}

/**
 * What the interfaces of a box say of its hotel: configuration, rooms, reservations and keys, each with its revision, if it has no
 * alarms.
 */
export async function contentsOf(box: Machine, token: string): Promise<string> {
  const found: string[] = []
  for (const list of lists) {
    const { data } = await box.ask<Documents>('GET', `/api/${list}?page[size]=100`, token)
    found.push(
      `${list}: ${JSON.stringify(data.map((each) => (hasAlarms(each) ? withoutAlarms(each) : each)))}`,
    )
  }
  return found.join('\n')
}
