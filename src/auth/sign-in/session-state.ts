import { documentOf, exactly } from '../../jsonapi/description.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import { text } from '../../jsonapi/schemas/words.ts'
import type { Reader } from '../../resource/keeper.ts'
import { nullable } from '../../resource/schema.ts'
import { sequenceText } from '../../resource/sequence-text.ts'
import { isPasscodeEnough } from '../accounts/check-secret.ts'
import { isFromThisMachine } from '../from-this-machine.ts'
import { accountLanguages } from '../resources/account.ts'
import { type Station, stationKinds } from '../resources/station.ts'
import { roles } from '../roles.ts'
import { grants, scopes } from '../scopes.ts'
import type { OpenSession } from '../sessions/open-sessions.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { holderOfSession, recentMs } from '../sessions/session-rights.ts'

/** The state of a session, for its page. */
interface Shown {
  open: OpenSession | null
  station: Station | null
  status?: number
  cookies?: string[]
}

/** Returns whether the property has an owner, which is the case when it has any account. */
export function isClaimed(reader: Pick<Reader, 'count'>): boolean {
  return reader.count('SELECT count(*) FROM (SELECT 1 FROM account LIMIT 1)') > 0
}

/** Returns the document of the browser's session. A browser without a session gets a document too. */
export function stateAnswer(
  desk: SessionDesk,
  { message }: Request,
  { open, station, status = 200, cookies = [] }: Shown,
): Answer {
  const isDemo = desk.demo && isFromThisMachine(message)
  const place = { station, isDemo }
  const who = open?.account ?? null
  const attributes = {
    ...(open ? whoOf(desk, open) : nobody),
    station: station && {
      id: station.id,
      name: station.name,
      kind: station.kind,
      idleMinutes: station.idleMinutes,
    },
    claimed: isClaimed(desk.reader),
    claimable: !isClaimed(desk.reader) && desk.pairing?.code() != null,
    demo: isDemo,
    passcodeFor: [
      ...(isPasscodeEnough(who, place, { unlocks: true }) ? ['unlock'] : []),
      ...(isPasscodeEnough(who, place) ? ['reauthenticate'] : []),
    ],
    time: instantOf(desk.now()),
    timeZone: desk.timeZone(),
  }
  const data = { type: 'current-session', id: open?.row.id ?? 'none', attributes }
  return { status, text: JSON.stringify({ data }), ...(cookies.length > 0 && { cookies }) }
}

const nobody = {
  account: null,
  role: null,
  scopes: [],
  language: null,
  startedAt: null,
  locksAt: null,
  endsAt: null,
  locked: false,
  reauthenticatedUntil: null,
  sequence: null,
}

function whoOf({ sessions, reader }: SessionDesk, open: OpenSession) {
  const { row, account } = open
  const { role, scopes: held } = holderOfSession(open)
  return {
    account: account && { id: account.id, name: account.name },
    role,
    scopes: scopes.filter((word) => grants(held, word)),
    language: account?.language ?? null,
    startedAt: instantOf(row.startedAt),
    locksAt: instantOf(sessions.locksAt(open)),
    endsAt: instantOf(row.endsAt),
    locked: sessions.isLocked(open),
    reauthenticatedUntil: instantOf((row.authenticatedAt ?? 0) + recentMs),
    sequence: sequenceText(reader.lastSequence()),
  }
}

function instantOf(at: number | null | undefined): string | null {
  return at == null ? null : new Date(at).toISOString()
}

const instant = nullable({ ...text, format: 'date-time' })

/** The schema of the document. */
export const stateSchema = documentOf(
  'current-session',
  exactly({
    account: nullable(exactly({ id: { ...text, format: 'uuid' }, name: text })),
    role: { enum: [...roles, null], description: 'Null without a session.' },
    scopes: {
      type: 'array',
      items: text,
      description: 'Every scope that the session has, without wildcards.',
    },
    language: { enum: [...accountLanguages, null] },
    startedAt: instant,
    locksAt: {
      ...instant,
      description:
        'When the session is locked unless it is used; null for a kiosk. To the minute after a restart.',
    },
    endsAt: { ...instant, description: 'When the session ends whatever happens; null for a kiosk.' },
    locked: { type: 'boolean', description: 'Only unlocking, switching and signing out are possible.' },
    reauthenticatedUntil: {
      ...instant,
      description: 'Until when operations that need a recent password are possible.',
    },
    sequence: {
      ...nullable({ ...text, pattern: '^[0-9]{20}$' }),
      description:
        'The newest event; null without a session. A page that reads now, and then opens its event stream after this event, misses nothing.',
    },
    station: nullable(
      exactly({
        id: { ...text, format: 'uuid' },
        name: text,
        kind: { enum: stationKinds },
        idleMinutes: { type: 'integer' },
      }),
    ),
    claimed: { type: 'boolean', description: 'Whether the appliance has any account.' },
    claimable: { type: 'boolean', description: 'Whether it can be claimed with its pairing code now.' },
    demo: { type: 'boolean', description: 'Whether this browser may sign in as the demo staff.' },
    passcodeFor: {
      type: 'array',
      items: { enum: ['unlock', 'reauthenticate'] },
      description:
        'The actions for which the passcode of the person is enough here. For the others, and where the person has none, ask for the password.',
    },
    time: { ...text, format: 'date-time', description: 'The time of the appliance.' },
    timeZone: { ...text, description: 'The IANA time zone of the property.' },
  }),
)
