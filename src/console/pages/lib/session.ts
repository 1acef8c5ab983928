import { computed, signal } from '@preact/signals'
import { ApiError, get, onRefused, type Resource, send } from './api.ts'
import { dateOf, setZone } from './format.ts'
import { changeLanguage, isLanguage } from './language.ts'

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

/** Whether the session has a scope: the word itself, `family.*` or `*`. The box decides; the page only hides what it would refuse. */
export function may(scope: string): boolean {
  const held = session.value?.scopes ?? []
  return held.includes('*') || held.includes(scope) || held.includes(`${scope.split('.')[0]}.*`)
}

interface SessionAttributes {
  account: { id: string; name: string } | null
  role: string
  scopes: string[]
  language: string | null
  station: Station | null
  locked: boolean
}

/** Asks the box who uses this page. */
export async function askSession(): Promise<void> {
  try {
    const { data } = await get<Resource<SessionAttributes>>('/api/v2/session')
    await begin(data.attributes)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    session.value = null
    if (error.status === 401) {
      isClaimed.value = error.meta.claimed !== false
      isDemo.value = error.meta.demo === true
      state.value = 'signed-out'
    } else {
      state.value = 'no-line'
      setTimeout(() => void askSession(), (error.retryAfterSeconds ?? 2) * 1_000)
    }
  }
}

/** Shows the page of whoever has just signed in. */
export async function begin({ account, locked, ...more }: SessionAttributes): Promise<void> {
  const { data } = await get<Resource<{ time: string; timeZone: string }>>('/api/v2/status')
  setZone(data.attributes.timeZone)
  ahead.value = Date.parse(data.attributes.time) - Date.now()
  session.value = { ...more, accountId: account?.id ?? null, name: account?.name ?? '', isLocked: locked }
  if (isLanguage(more.language)) await changeLanguage(more.language)
  state.value = 'signed-in'
}

/** Sends a request about the session, whose answer is the session as it then is. */
export async function change(action: string, attributes: Record<string, unknown> = {}): Promise<void> {
  const path = action === '' ? '/api/v2/session' : `/api/v2/session/actions/${action}`
  const { data } = await send<Resource<SessionAttributes>>('POST', path, {
    body: { data: { type: 'session', attributes } },
  })
  await begin(data.attributes)
}

export async function signOut(): Promise<void> {
  await send('DELETE', '/api/v2/session').catch(() => {})
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
