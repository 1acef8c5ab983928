import { signal } from '@preact/signals'
import { ApiError, get, type Resource, send } from '../lib/api.ts'
import { dateOf, setZone } from '../lib/format.ts'

/** What the kiosk knows of its house and of the machine that it belongs to. */
interface House {
  name: string
  /** The telephone number of the desk. It stays when the line to the box is lost. */
  phone: string | null
  checkOutTime: string
  timeZone: string
}

export interface Controller {
  id: string
  name: string
  keyType: string
  dispenserId: string | null
  isReady: boolean
}

type Service = 'starting' | 'not-enrolled' | 'open' | 'closed'

export const service = signal<Service>('starting')
export const house = signal<House>({ name: '', phone: null, checkOutTime: '', timeZone: 'UTC' })
/** The payment terminal beside this kiosk; null without one. */
export const terminalId = signal<string | null>(null)
export const controller = signal<Controller | null>(null)

let ahead = 0
/** The time of the box, Unix milliseconds. */
export const now = () => Date.now() + ahead
/** The date of the property. */
export const today = () => dateOf(now())

const everyMs = 5_000

/** Looks after the session, the clock and the devices for ever. While one of them is missing, the kiosk is out of service. */
export async function keepHouse(): Promise<void> {
  for (;;) {
    try {
      service.value = await look()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      service.value = 'closed'
    }
    await new Promise((done) => setTimeout(done, everyMs))
  }
}

async function look(): Promise<Service> {
  if (!(await hasSession())) return 'not-enrolled'
  const { data: status } = await get<Resource<{ time: string }>>('/api/v2/status')
  ahead = Date.parse(status.attributes.time) - Date.now()
  if (house.value.name === '') await readHouse()
  const { data } = await get<Resource<Omit<Controller, 'id'>>[]>('/api/v2/access/controllers')
  controller.value = chosen(data.map(({ id, attributes }) => ({ ...attributes, id })))
  terminalId.value = await readTerminal(controller.value?.id ?? null)
  return controller.value?.isReady ? 'open' : 'closed'
}

interface SessionState {
  role: string | null
  station: { kind: string } | null
  demo: boolean
}

/** The session is begun by itself on a station of the kind kiosk, and in the demo hotel. */
async function hasSession(): Promise<boolean> {
  const { data } = await get<Resource<SessionState>>('/api/v2/session')
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

/** Makes this browser a station, with the code that an administrator was given for it. */
export async function enrol(code: string): Promise<void> {
  await send('POST', '/api/v2/session/actions/enrol-station', { body: { code } })
  service.value = await look()
}

interface Settings {
  timeZone: string
  checkOutTime: string
  deskPhone?: string | null
}

async function readHouse(): Promise<void> {
  const { data: properties } = await get<Resource<{ name: string }>[]>('/api/v2/properties')
  const { data: settings } = await get<Resource<Settings>[]>('/api/config/v1/settings')
  const { timeZone, checkOutTime, deskPhone = null } = settings[0]!.attributes
  setZone(timeZone)
  house.value = {
    name: properties[0]?.attributes.name ?? '',
    phone: deskPhone,
    checkOutTime,
    timeZone,
  }
}

/** The terminal that stands beside the controller of this kiosk, or else one that stands beside none. */
async function readTerminal(controllerId: string | null): Promise<string | null> {
  const { data } = await get<Resource<{ controllerId: string | null }>[]>('/api/config/v1/payment-terminals')
  const own = data.find(({ attributes }) => attributes.controllerId === controllerId)
  return (own ?? data.find(({ attributes }) => attributes.controllerId === null))?.id ?? null
}

/**
 * The controller of this kiosk: the one in the address (`/kiosk?controller=Lobby%20kiosk`, name or id), else the first that makes
 * cards, a dispenser before an encoder.
 */
function chosen(all: readonly Controller[]): Controller | null {
  const wanted = new URLSearchParams(location.search).get('controller')
  if (wanted !== null) return all.find(({ id, name }) => id === wanted || name === wanted) ?? null
  const cards = all.filter(({ keyType }) => keyType === 'keyCard')
  return cards.find(({ dispenserId }) => dispenserId !== null) ?? cards[0] ?? null
}
