import { signal } from '@preact/signals'
import { get, getAll, type Resource } from '../lib/api.ts'
import { may } from '../lib/session.ts'

/** The set-up document of the property, as far as the pages read it. Fields with their default are absent. */
export interface SetupDocument {
  settings?: { timeZone?: string; country?: string; checkInTime?: string; checkOutTime?: string }
  property?: {
    name: string
    code?: string
    address: Address
  }
  unitTypes?: { code: string; name: string; maxOccupancy?: number }[]
  rooms?: string | { name: string; unitType: string; floor?: string | null }[]
  lockSystems?: Item[]
  dispensers?: Device[]
  encoders?: (Device & { lockSystem?: string; dispenser?: string })[]
  keyServices?: Item[]
  pms?: (Item & { adapter: string; enabled?: boolean; direction?: string; transport?: string })[]
  network?: { names: string[] }
}

export interface Address {
  line1?: string
  postalCode?: string
  city?: string
  country?: string
}

export interface Item {
  name: string
  driver?: string
  connection?: Record<string, unknown>
  unitMapping?: unknown[]
}

interface Device {
  name: string
  device?: { driver: string; path: string }
}

export interface Account {
  name: string
  role: string
  disabled: boolean
  passwordSetAt: string | null
  passcodeSetAt: string | null
  codeEndsAt: string | null
}

/** The property as it is set up by now. */
export interface House {
  document: SetupDocument
  /** Time zone or country were guessed, and nobody has confirmed them. */
  isAssumed: boolean
  timeZone: string
  /** Null for a session that may not see accounts. */
  accounts: Resource<Account>[] | null
}

interface Check {
  status: string
}

export async function readHouse(signal: AbortSignal): Promise<House> {
  const [setup, status, accounts] = await Promise.all([
    get<Resource<{ document: SetupDocument }>>('/api/config/v1/setup', { signal }),
    get<Resource<{ timeZone: string; checks: Record<string, Check[]> }>>('/api/v2/status', { signal }),
    may('accounts.read') ? getAll<Account>('/api/config/v1/accounts?page[size]=100', 500, signal) : null,
  ])
  const { timeZone, checks } = status.data.attributes
  return {
    document: setup.data.attributes.document,
    isAssumed: checks['property:settings']?.some((each) => each.status !== 'pass') ?? false,
    timeZone,
    accounts: accounts?.data ?? null,
  }
}

/** What this browser remembers of the set-up: what was left out, and how the test card went. */
export interface Remembered {
  skipped: Partial<Record<StepName, true>>
  test: Test | null
}

export interface Test {
  encoder: string
  room: string
  /** The state of the test: a reload in between goes on from here. */
  phase: 'making' | 'at-door' | 'opened' | 'shut'
  uid: string | null
  /** When it ended, an instant. */
  at: string
}

const kept = 'nightporter.setup'
export const remembered = signal<Remembered>(read())

function read(): Remembered {
  return {
    skipped: {},
    test: null,
    ...(JSON.parse(localStorage.getItem(kept) ?? '{}') as Partial<Remembered>),
  }
}

export function remember(part: Partial<Remembered>): void {
  remembered.value = { ...remembered.value, ...part }
  localStorage.setItem(kept, JSON.stringify(remembered.value))
}

export const stepNames = ['house', 'rooms', 'locks', 'devices', 'pms', 'network', 'staff', 'test'] as const
export type StepName = (typeof stepNames)[number]
export type StepState = 'done' | 'skipped' | 'open'

/** How far a step is. It is asked of the property, so that it is the same in every browser. */
export function stateOf(step: StepName, { document, isAssumed, accounts }: House): StepState {
  const isDone = {
    house: document.property !== undefined && !isAssumed,
    rooms: document.rooms !== undefined,
    locks: (document.lockSystems ?? []).length > 0,
    devices: (document.encoders ?? []).length > 0,
    pms: (document.pms ?? []).some(({ adapter }) => adapter !== 'standalone'),
    network: document.network !== undefined,
    staff: (accounts?.length ?? 0) > 1,
    test: remembered.value.test?.phase === 'opened',
  }[step]
  if (isDone) return 'done'
  return remembered.value.skipped[step] ? 'skipped' : 'open'
}

/** What every step gets. */
export interface StepOptions {
  house: House
  /** Reads the property again. */
  changed: () => void
  /** Goes to the next step. */
  next: () => void
}

interface Present {
  accountId: string | null
  stationId: string | null
  lastUsedAt: string | null
  endsAt: string | null
}

/** How long ago somebody else has used the box to count as present, in milliseconds. */
const presentMs = 10 * 60_000

/** The names of the other administrators and installers who are at work now. */
export async function othersAtWork(
  ownId: string | null,
  now: number,
  signal: AbortSignal,
): Promise<string[]> {
  if (!may('accounts.read')) return []
  const [{ data: sessions }, { data: accounts }] = await Promise.all([
    getAll<Present>('/api/config/v1/sessions?page[size]=100&sort=-createdAt', 100, signal),
    getAll<Account>('/api/config/v1/accounts?page[size]=100', 500, signal),
  ])
  const names = sessions
    .filter(({ attributes }) => now - Date.parse(attributes.lastUsedAt ?? '') < presentMs)
    .map(({ attributes }) => accounts.find(({ id }) => id === attributes.accountId && id !== ownId))
    .filter((each) => each !== undefined && ['admin', 'installer'].includes(each.attributes.role))
    .map((each) => each!.attributes.name)
  return [...new Set(names)]
}
