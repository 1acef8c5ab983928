import { signal } from '@preact/signals'
import type { Language } from '../lib/language/language.ts'
import { ApiError, getAll, getList, getOne, type Resource, send } from '../lib/server/api.ts'
import { type Message, textOf } from '../lib/server/message.ts'
import { may } from '../lib/server/session.ts'

/** The set-up document of the property, as far as the pages read it. Fields with their default are absent. */
export interface SetupDocument {
  settings?: RegistrationSettings & {
    timeZone?: string
    country?: string
    checkInTime?: string
    checkOutTime?: string
    deskPhone?: string | null
    kiosk?: Record<string, string | null> | null
  }
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
  paymentTerminals?: { name: string; driver: string; path: string; encoder?: string }[]
  keyServices?: Item[]
  pms?: (Item & { adapter: string; enabled?: boolean; direction?: string; transport?: string })[]
  network?: { names: string[] }
}

/** What the document says of the registration of guests. */
export interface RegistrationSettings {
  registrationFields?: string[] | null
  houseRules?: Partial<Record<Language, string | null>> | null
  registrationDays?: number
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

/** The present state of the property's set-up. */
export interface House {
  document: SetupDocument
  /** Whether time zone or country were assumed and are not confirmed yet. */
  isAssumed: boolean
  /** Whether a kiosk is enrolled, and its guests have no telephone number of the desk. */
  lacksDeskPhone: boolean
  timeZone: string
  /** Null for a session without access to accounts. */
  accounts: Resource<Account>[] | null
  backup: BackupSetup
}

/** How far the set-up of the backups is, by the status of the box. */
interface BackupSetup {
  /** What is missing and what to do, in sentences of the box. */
  missing: string[]
  /** When the newest backup was made, and when one was last read back from a place outside the box; instants. */
  madeAt: string | null
  elsewhereAt: string | null
  /** False in the sample hotel, which asks for no backup outside the box. */
  isDemanded: boolean
}

interface Check {
  status: string
  observedValue: unknown
  messages: Message[]
  output: string | null
}

/** Reads all that the steps of the set-up show. */
export async function readHouse(signal: AbortSignal): Promise<House> {
  const [setup, status, settings, accounts] = await Promise.all([
    getOne<{ document: SetupDocument }>('/api/config/v1/setup', { signal }),
    getOne<{ timeZone: string; checks: Record<string, Check[]> }>('/api/v2/status', { signal }),
    readSettings(signal),
    may('accounts.read') ? getAll<Account>('/api/config/v1/accounts?page[size]=100', 500, signal) : null,
  ])
  const { timeZone, checks } = status.data.attributes
  progress.value = progressOf(settings)
  return {
    document: setup.data.attributes.document,
    lacksDeskPhone: checks['kiosk:desk-phone'] !== undefined,
    isAssumed: checks['property:settings']?.some((each) => each.status !== 'pass') ?? false,
    timeZone,
    accounts: accounts?.data ?? null,
    backup: backupOf(checks),
  }
}

function backupOf(checks: Record<string, Check[]>): BackupSetup {
  const [made, elsewhere] = ['storage:backup', 'storage:elsewhere'].map((name) => checks[name]?.[0])
  const wrong = [made, elsewhere].filter((check) => check !== undefined && check.status !== 'pass')
  const momentOf = (check: Check | undefined) => (check?.observedValue ?? null) as string | null
  return {
    missing: wrong.map((check) => textOf(check!.messages) || String(check!.output)),
    madeAt: momentOf(made),
    elsewhereAt: momentOf(elsewhere),
    isDemanded: elsewhere !== undefined,
  }
}

/** The progress that the property itself does not show: skipped steps and the result of the test card. */
interface Progress {
  skipped: StepName[]
  test: Test | null
}

export interface Test {
  encoder: string
  room: string
  /** The state of the test, which a reload continues. */
  phase: 'making' | 'at-door' | 'opened' | 'shut'
  uid: string | null
  /** When the card ends, or when the door was tried; an instant. */
  at: string
}

/** The progress as the box stores it, so that another browser goes on at the same place. */
export const progress = signal<Progress>({ skipped: [], test: null })

interface Settings {
  revision: number
  setupProgress: Partial<Progress> | null
}

async function readSettings(signal?: AbortSignal): Promise<Resource<Settings>> {
  const { data } = await getList<Settings>('/api/config/v1/settings', signal ? { signal } : {})
  return data[0]!
}

const progressOf = ({ attributes }: Resource<Settings>): Progress => ({
  skipped: [],
  test: null,
  ...attributes.setupProgress,
})

/** Two people at work rarely save at the same moment. */
const mostAttempts = 3

/** Stores a change of the progress on the box. Throws ApiError. */
export async function saveProgress(change: (before: Progress) => Partial<Progress>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const settings = await readSettings()
    const before = progressOf(settings)
    const after = { ...before, ...change(before) }
    try {
      await send('PATCH', `/api/config/v1/settings/${settings.id}`, {
        body: { setupProgress: after },
        ifMatch: `"${settings.attributes.revision}"`,
      })
      progress.value = after
      return
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || attempt === mostAttempts) throw error
    }
  }
}

export const stepNames = [
  'house',
  'rooms',
  'locks',
  'devices',
  'pms',
  'network',
  'staff',
  'test',
  'backup',
] as const
export type StepName = (typeof stepNames)[number]
/** `missing`: a step that may wait, but is wrong until it is done. */
export type StepState = 'done' | 'skipped' | 'open' | 'missing'

/** Returns the progress of a step. It is computed from the property, so it is the same in every browser. */
export function stateOf(
  step: StepName,
  { document, isAssumed, lacksDeskPhone, accounts, backup }: House,
): StepState {
  const isDone = {
    house: document.property !== undefined && !isAssumed && !lacksDeskPhone,
    rooms: document.rooms !== undefined,
    locks: (document.lockSystems ?? []).length > 0,
    devices: (document.encoders ?? []).length > 0,
    pms: (document.pms ?? []).some(({ adapter }) => adapter !== 'standalone'),
    network: document.network !== undefined,
    staff: (accounts?.length ?? 0) > 1,
    test: progress.value.test?.phase === 'opened',
    backup: backup.isDemanded && backup.missing.length === 0,
  }[step]
  if (isDone) return 'done'
  if (step === 'backup' && backup.isDemanded) return 'missing'
  return progress.value.skipped.includes(step) ? 'skipped' : 'open'
}

/** The properties of every step. */
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

/** Another person counts as present for this long after the last request, in milliseconds. */
const presentMs = 10 * 60_000

/** Returns the names of the other administrators and installers who are present. */
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
