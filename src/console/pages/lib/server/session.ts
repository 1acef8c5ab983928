import { computed, signal } from '@preact/signals'
import { dateOf, setZone } from '../language/format.ts'
import { changeLanguage, chosenLanguage, isLanguage, textsLoaded } from '../language/language.ts'
import { apiErrorOf } from './answer.ts'
import { ApiError, getOne, onRefused, send, sendOne } from './api.ts'
import { heardAt } from './line.ts'

/** The signed-in person and the scopes of the session. */
export interface Session {
  accountId: string | null
  name: string
  role: string
  scopes: readonly string[]
  language: string | null
  station: Station | null
  isLocked: boolean
  /** The actions for which the passcode is enough here. The others need the password. */
  passcodeFor: readonly string[]
  /** The newest event when the session was read, as its sequence. What the page reads later contains it. */
  sequence: string
}

interface Station {
  id: string
  name: string
  kind: string
}

type State = 'asking' | 'signed-out' | 'signed-in' | 'no-line'

export const state = signal<State>('asking')
export const session = signal<Session | null>(null)
/** The station of this browser; null for none. */
export const station = signal<Station | null>(null)
/** Whether the box has any account. If not, it can only be claimed. */
export const isClaimed = signal(true)
/** Whether this is the demo hotel, whose staff sign in without a password on this machine. */
export const isDemo = signal(false)

/** The offset of the box's clock from this browser's, in milliseconds; positive when the box is ahead. */
const ahead = signal(0)
/** Incremented every half minute while the session is not locked, so that times on the screen are redrawn. */
export const tick = signal(0)
setInterval(() => {
  if (!session.value?.isLocked) tick.value++
}, 30_000)

/** The browser's clock shows a time so far from that of the box that one of the two is wrong. */
export const isOtherTime = computed(() => Math.abs(ahead.value) >= 3_600_000)

/** Takes the time that the box has said just now: its clock, or that of this computer, may have been set. */
export function heardTime(time: string): void {
  ahead.value = Date.parse(time) - Date.now()
}

/** The time of the box. */
export const now = () => Date.now() + ahead.value
/** The date of the property, YYYY-MM-DD. It comes from the box, never from the clock of the browser. */
export const today = computed(() => {
  tick.value
  return dateOf(now())
})

/** Returns whether the session has a scope. The box decides; the page only hides actions that the box would refuse. */
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
  passcodeFor: string[]
  time: string
  timeZone: string
  /** Null without a session. */
  sequence: string | null
}

const needs = ['role', 'scopes', 'sequence', 'time', 'timeZone'] as const

/** Set when a person has signed out, so that the demo hotel does not sign the person in again. */
const signedOut = 'nightporter.signed-out'

declare global {
  /** The session request that `boot.js` sent before this script was loaded. */
  var sessionAhead: Promise<Response> | undefined
}

/** Reads the session of this page. The demo hotel starts with its front desk signed in. */
export async function askSession(): Promise<void> {
  try {
    const ahead = globalThis.sessionAhead
    globalThis.sessionAhead = undefined
    const { data } = await getOne<SessionAttributes>('/api/v2/session', { ahead, needs })
    const { role, demo } = data.attributes
    if (role === null && demo && !sessionStorage.getItem(signedOut)) await startDemo('Ana')
    else await begin(data.attributes)
  } catch (error) {
    // Without a session there is no page to go back to: it is asked for until it is there.
    session.value = null
    state.value = 'no-line'
    setTimeout(() => void askSession(), (apiErrorOf(error).retryAfterSeconds ?? 2) * 1_000)
  }
}

/** Shows the page for the present session. */
async function begin({
  account,
  role,
  locked,
  claimed,
  demo,
  time,
  timeZone,
  sequence,
  ...more
}: SessionAttributes): Promise<void> {
  failedToLeave.value = null
  setZone(timeZone, now)
  heardTime(time)
  isClaimed.value = claimed
  isDemo.value = demo
  if (role === null || sequence === null) {
    // The page is first drawn in its language, not in English for a moment.
    await textsLoaded()
    session.value = null
    station.value = more.station
    state.value = 'signed-out'
    return
  }
  station.value = more.station
  session.value = {
    ...more,
    role,
    sequence,
    accountId: account?.id ?? null,
    name: account?.name ?? '',
    isLocked: locked,
  }
  const wanted = chosenLanguage(account?.id ?? '') ?? more.language
  if (isLanguage(wanted)) await changeLanguage(wanted)
  else await textsLoaded()
  state.value = 'signed-in'
}

const isLocking = signal(false)
/** Whether the box refuses the requests of this page, or will in a moment. */
export const isLockedOrLocking = computed(() => isLocking.value || (session.value?.isLocked ?? false))

/** How the person last tried to leave the page without success; null after success. */
export const failedToLeave = signal<'lock' | 'sign-out' | null>(null)

/** Locks the station. A lock that fails leaves the page as it was: with a lost connection, the connection stays lost. */
export async function lock(): Promise<void> {
  const heard = heardAt.value
  isLocking.value = true
  try {
    await leave('lock', () => act('lock'))
    if (failedToLeave.value) heardAt.value = heard
  } finally {
    isLocking.value = false
  }
}

async function leave(how: 'lock' | 'sign-out', work: () => Promise<unknown>): Promise<void> {
  failedToLeave.value = null
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    failedToLeave.value = how
  }
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
  | 'change-secrets'
  | 'claim'
  | 'enrol-station'
  | 'start-kiosk'
  | 'start-demo'

/** Changes the session of this browser, and shows the page for the new session. */
export const act = (action: SessionAction, body: Record<string, unknown> = {}) =>
  change(`/api/v2/session/actions/${action}`, body)

async function change(path: string, body: Record<string, unknown>): Promise<void> {
  const { data } = await sendOne<SessionAttributes>('POST', path, { body, needs })
  sessionStorage.removeItem(signedOut)
  await begin(data.attributes)
}

/** Signs in as one of the demo staff: Ana (front desk), Ben (housekeeping), Ida (administrator). */
export const startDemo = (account: string) => act('start-demo', { account })
export const demoStaff = ['Ana', 'Ben', 'Ida'] as const

/** Signs out. If the box does not answer, the person is still signed in, and the page says so. */
export async function signOut(): Promise<void> {
  await leave('sign-out', async () => {
    await send('DELETE', '/api/v2/session')
    sessionStorage.setItem(signedOut, '1')
    await askSession()
  })
}

/** Set while a request waits for the passcode or password to be entered again. */
export const asksAgain = signal<{ done: (isConfirmed: boolean) => void } | null>(null)

/** Runs `work`. If the box requires the secret again, asks for it and repeats the work. */
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
  if (error.code === 'session-locked') {
    if (session.value && !session.value.isLocked) session.value = { ...session.value, isLocked: true }
  } else if (error.status === 401) void askSession()
})
