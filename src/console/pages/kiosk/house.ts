import { signal } from '@preact/signals'
import { dateOf, setZone } from '../lib/language/format.ts'
import { apiErrorOf } from '../lib/server/answer.ts'
import { getList, getOne, send } from '../lib/server/api.ts'
import type { Place } from './drawings.ts'
import { Stop } from './failures.ts'
import type { Visit } from './visit.ts'

/** The kiosk's data about the hotel and its own machine. */
interface House {
  name: string
  /** The telephone number of the front desk. It stays shown while the connection to the box is lost. */
  phone: string | null
  checkOutTime: string
  timeZone: string
  /** Whether each guest is registered before the check-in. */
  registersGuests: boolean
  kiosk: KioskSettings
  /** The addresses of its pictures; empty without one. */
  images: Partial<Record<'logo' | 'picture', string>>
}

/** What the hotel sets for its kiosks; null for what it has not set. */
interface KioskSettings {
  /** The colour of the hotel, `#14595f`. */
  accentColor: string | null
  /** Where the card comes out, and where the payment terminal is, as seen from the screen. */
  cardSlot: Place | null
  terminal: Place | null
  /** What each guest reads after the card. */
  lift: string | null
  breakfast: string | null
  wifi: string | null
}

const unset: KioskSettings = {
  accentColor: null,
  cardSlot: null,
  terminal: null,
  lift: null,
  breakfast: null,
  wifi: null,
}

export interface Controller {
  id: string
  name: string
  keyType: string
  dispenserId: string | null
  /** The kinds of card that the box itself reads and writes here; null for none. */
  cardFormats: readonly string[] | null
  isReady: boolean
}

/** The machine that gives out the cards. */
interface Dispenser {
  /** Whether guests may hand their cards back here. */
  acceptReturns: boolean
  /** How long a card stays at the gate. */
  presentTimeoutSeconds: number
}

/** The dispenser of this kiosk; null without one. */
export const dispenser = signal<Dispenser | null>(null)

interface Terminal {
  id: string
  /** How long a guest may take to pay. */
  timeoutSeconds: number
}

type Service = 'starting' | 'not-enrolled' | 'open' | 'closed'

export const service = signal<Service>('starting')
export const house = signal<House>({
  name: '',
  phone: null,
  checkOutTime: '',
  timeZone: 'UTC',
  registersGuests: false,
  kiosk: unset,
  images: {},
})
/** The payment terminal beside this kiosk; null without one. */
export const terminal = signal<Terminal | null>(null)
export const controller = signal<Controller | null>(null)

/** When the page has last looked at the box, by the browser's monotonic clock. */
let lookedAt = performance.now()
export const silentFor = () => (performance.now() - lookedAt) / 1_000
/** Whether the box was updated since this page was loaded, so that it has another script for it. */
export let isOutdated = false

let ahead = 0
/** Whether the date may be wrong: nothing has confirmed the time of the box, or this machine shows another one. */
export const isDateUncertain = signal(false)
/** The time of the box, Unix milliseconds. */
export const now = () => Date.now() + ahead
/** The date of the property. */
export const today = () => dateOf(now())

const everyMs = 5_000
/** Every so many looks, the page looks whether it is outdated. */
const looksForPage = 12

/**
 * Keeps the session, the clock, the hotel's data and the devices up to date, without end. While one of them is missing,
 * the kiosk is out of service.
 */
export async function keepHouse(): Promise<void> {
  for (let looks = 1; ; looks++) {
    try {
      service.value = await look()
      if (looks % looksForPage === 0) isOutdated = await isPageOutdated()
    } catch (error) {
      apiErrorOf(error)
      service.value = 'closed'
    }
    lookedAt = performance.now()
    await new Promise((done) => setTimeout(done, everyMs))
  }
}

/** How long a guest waits for a box that starts again. */
const mostWaitSeconds = 90

const isOpen = () => service.peek() === 'open'

/** Resolves when the box was seen ready after this call. Throws a Stop when it is not ready in time. */
export async function untilOpen(visit: Visit): Promise<void> {
  service.value = 'closed'
  for (let waited = 0; waited < mostWaitSeconds; waited++) {
    if (isOpen()) return
    await visit.pause(1)
  }
  throw new Stop('outOfService')
}

async function look(): Promise<Service> {
  if (!(await hasSession())) return 'not-enrolled'
  const { data: status } = await getOne<{ time: string; timeConfirmed?: boolean }>('/api/v2/status', {
    needs: ['time'],
  })
  const { time, timeConfirmed = true } = status.attributes
  ahead = Date.parse(time) - Date.now()
  isDateUncertain.value = !timeConfirmed || Math.abs(ahead) >= 3_600_000
  await readHouse()
  const { data } = await getList<Omit<Controller, 'id'>>('/api/v2/access/controllers')
  controller.value = chosen(data.map(({ id, attributes }) => ({ ...attributes, id })))
  dispenser.value = await readDispenser(controller.value?.dispenserId ?? null)
  terminal.value = await readTerminal(controller.value?.id ?? null)
  return controller.value?.isReady ? 'open' : 'closed'
}

/** Whether the box has another script for this page by now. No answer says nothing about it. */
async function isPageOutdated(): Promise<boolean> {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(5_000) })
    const html = await answer.text()
    const script = document.querySelector('script[type=module]')?.getAttribute('src')
    return html.includes('<div id="page">') && !html.includes(`src="${script}"`)
  } catch {
    return false
  }
}

interface SessionState {
  role: string | null
  station: { kind: string } | null
  demo: boolean
}

/** The session starts without a person's action at a station of the kind kiosk, and in the demo hotel. */
async function hasSession(): Promise<boolean> {
  const { data } = await getOne<SessionState>('/api/v2/session', { needs: ['role', 'station'] })
  const { role, station, demo } = data.attributes
  if (role !== null) return true
  const action = station?.kind === 'kiosk' ? 'start-kiosk' : demo ? 'start-demo' : null
  if (action === null) return false
  await send(
    'POST',
    `/api/v2/session/actions/${action}`,
    action === 'start-demo' ? { body: { kiosk: true } } : {},
  )
  return true
}

/** Makes this browser a station, with an enrolment code from an administrator. */
export async function enrol(code: string): Promise<void> {
  await send('POST', '/api/v2/session/actions/enrol-station', { body: { code } })
  service.value = await look()
}

interface Settings {
  timeZone: string
  checkOutTime: string
  deskPhone?: string | null
  registrationFields?: string[] | null
  kiosk?: Partial<KioskSettings> | null
}

async function readHouse(): Promise<void> {
  const { data: properties } = await getList<{ name: string }>('/api/v2/properties')
  const { data: settings } = await getList<Settings>('/api/config/v1/settings')
  const { timeZone, checkOutTime, deskPhone = null, registrationFields, kiosk } = settings[0]!.attributes
  setZone(timeZone, now)
  house.value = {
    name: properties[0]?.attributes.name ?? '',
    phone: deskPhone || null,
    checkOutTime,
    timeZone,
    registersGuests: !!registrationFields?.length,
    kiosk: { ...unset, ...kiosk },
    images: house.value.images,
  }
  const { accentColor } = house.value.kiosk
  if (accentColor) document.documentElement.style.setProperty('--house', accentColor)
  else document.documentElement.style.removeProperty('--house')
  void readImages().catch(() => {})
}

/** A kiosk without its pictures works: they may fail, and no guest waits for them. */
async function readImages(): Promise<void> {
  const { data } = await getList<{ use: 'logo' | 'picture'; file: string }>('/api/config/v1/kiosk-images')
  const images = Object.fromEntries(
    data.map(({ attributes: { use, file } }) => [use, `/kiosk-images/${file}`]),
  )
  house.value = { ...house.value, images }
}

async function readDispenser(dispenserId: string | null): Promise<Dispenser | null> {
  if (dispenserId === null) return null
  const needs = ['acceptReturns', 'presentTimeoutSeconds'] as const
  return (await getOne<Dispenser>(`/api/v2/access/dispensers/${dispenserId}`, { needs })).data.attributes
}

/**
 * Returns the terminal that is assigned to this kiosk's controller; otherwise the first terminal without a controller.
 */
async function readTerminal(controllerId: string | null): Promise<Terminal | null> {
  const { data } = await getList<{ controllerId: string | null; timeoutSeconds: number | null }>(
    '/api/config/v1/payment-terminals',
  )
  const own = data.find(({ attributes }) => attributes.controllerId === controllerId)
  const found = own ?? data.find(({ attributes }) => attributes.controllerId === null)
  return found ? { id: found.id, timeoutSeconds: found.attributes.timeoutSeconds ?? 120 } : null
}

/**
 * Returns the controller of this kiosk: the one in the address (`/kiosk?controller=Lobby%20kiosk`, name or id);
 * otherwise the first one that makes cards, a dispenser before an encoder.
 */
function chosen(all: readonly Controller[]): Controller | null {
  const wanted = new URLSearchParams(location.search).get('controller')
  if (wanted !== null) return all.find(({ id, name }) => id === wanted || name === wanted) ?? null
  const cards = all.filter(({ keyType }) => keyType === 'keyCard')
  return cards.find(({ dispenserId }) => dispenserId !== null) ?? cards[0] ?? null
}
