import { computed, signal } from '@preact/signals'
import { ApiError, get, onRefused, type Resource, send } from './api.ts'
import { dateOf, setZone } from './format.ts'
import { changeLanguage, chosenLanguage, isLanguage } from './language.ts'

/** Who uses this page, and what they may do. */
export interface Session {
  accountId: string | null
  name: string
  role: string
  scopes: readonly string[]
  language: string | null
  station: Station | null
  isLocked: boolean
}

interface Station {
  id: string
  name: string
  kind: string
}

type State = 'asking' | 'signed-out' | 'signed-in' | 'no-line'

export const state = signal<State>('asking')
export const session = signal<Session | null>(null)
/** The station that this browser is; null when it is none. */
export const station = signal<Station | null>(null)
/** Whether the box has any account. Without one it can only be claimed. */
export const isClaimed = signal(true)
/** Whether this is the demo hotel, whose staff sign in without a password on this machine. */
export const isDemo = signal(false)

/** The clock of the box: how far it is ahead of this browser's, in milliseconds. */
const ahead = signal(0)
/** Counts up each half minute, so that times on the screen move. */
export const tick = signal(0)
setInterval(() => tick.value++, 30_000)

/** The time of the box. */
export const now = () => Date.now() + ahead.value
/** The date of the property, YYYY-MM-DD. It comes from the box, never from the clock of the browser. */
export const today = computed(() => {
  tick.value
  return dateOf(now())
})

/** Whether the session has a scope. The box decides; the page only hides what it would refuse. */
export function may(scope: string): boolean {
  return session.value?.scopes.includes(scope) ?? false
}

interface SessionAttributes {
  account: { id: string; name: string } | null
  /** Null without a session. */
  role: string | null
  scopes: string[]
  language: string | null
  station: Station | null
  locked: boolean
  claimed: boolean
  demo: boolean
  time: string
  timeZone: string
}

/** Set when a person has signed out, so that the demo hotel does not sign them in again. */
const signedOut = 'nightporter.signed-out'

/** Asks the box who uses this page. The demo hotel begins with its front desk signed in. */
export async function askSession(): Promise<void> {
  try {
    const { data } = await get<Resource<SessionAttributes>>('/api/v2/session')
    const { role, demo } = data.attributes
    if (role === null && demo && !sessionStorage.getItem(signedOut)) await startDemo('Ana')
    else await begin(data.attributes)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    session.value = null
    state.value = 'no-line'
    setTimeout(() => void askSession(), (error.retryAfterSeconds ?? 2) * 1_000)
  }
}

/** Shows the page of whoever is signed in now. */
async function begin({
  account,
  role,
  locked,
  claimed,
  demo,
  time,
  timeZone,
  ...more
}: SessionAttributes): Promise<void> {
  setZone(timeZone)
  ahead.value = Date.parse(time) - Date.now()
  isClaimed.value = claimed
  isDemo.value = demo
  if (role === null) {
    session.value = null
    station.value = more.station
    state.value = 'signed-out'
    return
  }
  station.value = more.station
  session.value = {
    ...more,
    role,
    accountId: account?.id ?? null,
    name: account?.name ?? '',
    isLocked: locked,
  }
  const wanted = chosenLanguage(account?.id ?? '') ?? more.language
  if (isLanguage(wanted)) await changeLanguage(wanted)
  state.value = 'signed-in'
}

/** Signs in. */
export const signIn = (entered: { account: string; password?: string; passcode?: string }) =>
  change('/api/v2/session', entered)

export type SessionAction =
  | 'lock'
  | 'unlock'
  | 'switch'
  | 'reauthenticate'
  | 'redeem-code'
  | 'claim'
  | 'enrol-station'
  | 'start-kiosk'
  | 'start-demo'

/** Changes the session of this browser, and shows the page of whoever is signed in then. */
export const act = (action: SessionAction, body: Record<string, unknown> = {}) =>
  change(`/api/v2/session/actions/${action}`, body)

async function change(path: string, body: Record<string, unknown>): Promise<void> {
  const { data } = await send<Resource<SessionAttributes>>('POST', path, { body })
  sessionStorage.removeItem(signedOut)
  await begin(data.attributes)
}

/** Signs in as one of the demo staff: Ana (front desk), Ben (housekeeping), Ida (administrator). */
export const startDemo = (account: string) => act('start-demo', { account })
export const demoStaff = ['Ana', 'Ben', 'Ida'] as const

export async function signOut(): Promise<void> {
  await send('DELETE', '/api/v2/session')
  sessionStorage.setItem(signedOut, '1')
  await askSession()
}

/** Set while a request waits for the passcode or password to be entered once more. */
export const asksAgain = signal<{ done: (isConfirmed: boolean) => void } | null>(null)

/** Runs `work`; when the box asks for the passcode once more, it is asked for, and the work is done again. */
export async function confirmed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'reauthentication-required') throw error
    const isConfirmed = await new Promise<boolean>((done) => {
      asksAgain.value = { done }
    })
    asksAgain.value = null
    if (!isConfirmed) throw error
    return await work()
  }
}

onRefused((error) => {
  if (state.value !== 'signed-in') return
  if (error.code === 'session-locked' && session.value) session.value = { ...session.value, isLocked: true }
  else if (error.status === 401) void askSession()
})
