import { type Description, exactly, listOf } from '../../../jsonapi/description.ts'
import { type Language, preferredLanguage } from '../../../jsonapi/locales/language.ts'
import { type Message, messagesSchema, shownMessage } from '../../../jsonapi/locales/message.ts'
import { expectNoParameters } from '../../../jsonapi/query/query.ts'
import { type Route, routesAt } from '../../../jsonapi/route.ts'
import { list, moment, momentOrNull, text, textOrNull, uuid } from '../../../jsonapi/schemas/words.ts'
import { stay } from '../../../reservation/resources/stay.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import { type Filter, first, having } from '../../../resource/query.ts'
import { ridOf, uuidText } from '../../../resource/uuid-sql.ts'
import type { Property, Work } from '../../access.ts'
import { settingsOf } from '../../lookups.ts'
import { isSharedLock } from '../../resources/door.ts'
import { type Key, key } from '../../resources/key.ts'
import { type KeyDoor, neverOver, numberAt } from '../../resources/key-door.ts'
import { doubtfulUnits } from '../change-key.ts'
import { unitToSend } from '../life/key-owner.ts'
import { attemptsSchema, shownAttempts } from '../pending/shown-attempts.ts'
import { keysOfOthers } from './keys-of-others.ts'

const base = '/api/v2'
const route = routesAt(base)
const path = 'access/units-with-older-keys'
/** The highest number of keys of one status. */
const atMost = 1_000

/**
 * The route that lists, by unit, keys that should not open its door and still may, with a remedy for each unit. The common doors
 * of a key follow, as one line a key.
 */
export function olderKeysRoutes(access: Property & Work): Route[] {
  return [
    route('GET', path, 'keys.read', says, ({ query, header }) => {
      expectNoParameters(query)
      const language = preferredLanguage(header('accept-language'))
      const found = older(access)
      const atUnits = [...found.flatMap(openUnits), ...lostDoors(access), ...unmoved(access)]
      const lines = [...byUnit(atUnits).values(), ...found.flatMap((row) => commonDoors(access, row))]
      lines.push(...unsent(access).map((each) => [each]), ...ofOthers(access))
      const data = lines.map((doors) => documentOf(access, doors, language))
      return { status: 200, text: JSON.stringify({ data, links: { self: `${base}/${path}` } }) }
    }),
  ]
}

/** A door that a key should not open and may. */
interface OpenDoor {
  row: Key
  /** Null for common doors. */
  unitName: string | null
  authorizations: string[]
  door: KeyDoor | null
  /** The key is live, and another guest is in house in the unit. */
  isOfOther?: boolean
}

function older({ reader }: Property): Key[] {
  return (['blocked', 'revocationPending', 'unknown', 'superseded'] as const).flatMap((status) =>
    reader.rows(key, {
      ...first(having({ status, mayOpen: 1 }), atMost),
      sort: [{ path: 'createdAt', descending: false }],
    }),
  )
}

function openUnits(row: Key): OpenDoor[] {
  return (row.doorRows ?? []).flatMap((door) =>
    door.lock && !door.proof
      ? [{ row, unitName: door.name ?? row.unitName ?? null, authorizations: [], door }]
      : [],
  )
}

/**
 * The common doors of a key whose holder should not pass them: it is lost, or its stay is over. A guest in house may pass them
 * with any card, so that each card of a longer stay is no case.
 */
function commonDoors({ reader }: Property, row: Key): OpenDoor[][] {
  const zones = (row.doorRows ?? []).filter(({ lock, proof }) => !lock && !proof)
  const { status, stayId } = row
  const isEntitled = stayId
    ? isLive(reader.row(stay, stayId)?.status ?? 'CheckedOut')
    : status !== 'revocationPending'
  if (zones.length === 0 || (status !== 'blocked' && isEntitled)) return []
  const authorizations = zones.map(({ name }) => name ?? '')
  return [[{ row, unitName: null, authorizations, door: null }]]
}

const lost = `SELECT DISTINCT ${uuidText('key.id')} AS id FROM key_door JOIN key ON key.rid = key_door.owner
  WHERE key_door.endedById IS NOT NULL AND key_door.proof IS NULL AND key.status = 'live' LIMIT ${atMost}`

/** The units that a newer key has taken from live keys of other units. */
function lostDoors({ reader }: Property): OpenDoor[] {
  const rows = reader.all<{ id: string }>(lost).flatMap(({ id }) => reader.row(key, id) ?? [])
  return rows.flatMap((row) => openUnits(row).filter(({ door }) => door?.endedById))
}

/** Live keys that may open a wrong unit, because the outcome of a move is unknown. */
function unmoved({ reader }: Property): OpenDoor[] {
  const asked: Filter = { path: 'changeAskedAt', operator: 'notnull', value: null }
  const rows = reader.rows(key, first([asked, ...having({ status: 'live' })], atMost))
  return rows.flatMap((row) =>
    doubtfulUnits(row).map((unitName) => ({ row, unitName, authorizations: [], door: null })),
  )
}

/**
 * PINs that are due and were not sent: the lock system or the guard of the doors has refused them, or their stay has other units by
 * now, and they are not sent for one of these automatically. A stay with another live PIN needs none.
 */
function unsent(access: Property & Work): OpenDoor[] {
  const { reader, clock } = access
  const { autoMaterialize } = settingsOf(access)
  const due: Filter = { path: 'opensAt', operator: 'lte', value: clock.now() }
  const rows = reader.rows(key, first([due, ...having({ status: 'virtual', keyType: 'pinCode' })], atMost))
  const hasOther = ({ stayId }: Key) =>
    !!stayId && reader.rows(key, first(having({ stayId, status: 'live', keyType: 'pinCode' }), 1)).length > 0
  return rows.flatMap((row) => {
    if (!row.unitName || (row.validUntil ?? 0) <= clock.now()) return []
    const unitName = unitToSend(reader, row)
    const waits = unitName === null || (!autoMaterialize && unitName !== row.unitName)
    const isMissing = (waits || access.attempts(row.id) !== null) && !hasOther(row)
    return isMissing ? [{ row, unitName: row.unitName, authorizations: [], door: null }] : []
  })
}

/** By unit, the live keys of other guests that open it. */
function ofOthers(access: Property): OpenDoor[][] {
  const found = keysOfOthers(access).map((each) => ({ ...each, authorizations: [], isOfOther: true }))
  return [...byUnit(found).values()]
}

function byUnit(doors: OpenDoor[]): Map<string, OpenDoor[]> {
  return Map.groupBy(doors, ({ row, unitName }) => `${row.providerId}:${unitName}`)
}

/** A unit may have a line for its older keys, one for those of other guests, and one for each PIN that was not sent. */
function idOf(doors: OpenDoor[]): string {
  const [{ row, unitName, isOfOther }] = doors as [OpenDoor]
  const named = row.status === 'virtual' ? row.id : (unitName ?? row.id)
  return `${row.providerId}:${named}${isOfOther ? ':others' : ''}`
}

function documentOf(access: Property & Work, doors: OpenDoor[], language: Language) {
  const [{ row, unitName, authorizations }] = doors as [OpenDoor]
  const { providerId } = row
  const remedy = shownMessage(language, remedyOf(access, doors))
  const ends = doors.map(({ row: { validUntil, endsAtLock } }) =>
    endsAtLock && endsAtLock !== neverOver ? endsAtLock : (validUntil ?? 0),
  )
  return {
    type: 'unit-with-older-keys',
    id: idOf(doors),
    attributes: {
      unitName,
      authorizations,
      providerId,
      until: new Date(Math.max(...ends)).toISOString(),
      keys: doors.map(({ row: { id, status, keyType, uid, validUntil, stayId } }) => ({
        keyId: id,
        status,
        keyType,
        uid: uid ?? null,
        stayId: stayId ?? null,
        validUntil: validUntil ? new Date(validUntil).toISOString() : null,
        ...shownAttempts(access, id),
      })),
      remedy: remedy.text,
      messages: [remedy],
    },
  }
}

const newestAt = `SELECT coalesce(max(key_door.number), 0) FROM key_door JOIN key ON key.rid = key_door.owner
  WHERE key_door.lock = ? AND key.providerId = ${ridOf('access_provider')} AND key.status = 'live' AND key.original = 1
  AND coalesce(key.usage, 'Guest') <> 'Spare' AND key.keyType = 'keyCard' AND key_door.endedById IS NULL`

/** The remedy for one unit, or for common doors, for the front desk. */
function remedyOf({ reader }: Property, doors: OpenDoor[]): Message {
  const [{ row, unitName, authorizations, door, isOfOther }] = doors as [OpenDoor]
  if (unitName === null && authorizations.length > 0)
    return { code: 'only-the-card', values: { doors: authorizations.join(', ') } }
  if (doors.every((each) => each.row.changeAskedAt)) return { code: 'move-unconfirmed' }
  if (isOfOther) return { code: 'key-of-other-guest' }
  if (doors.every((each) => each.row.status === 'virtual')) return { code: 'pin-not-sent' }
  if (row.keyType === 'pinCode') return { code: 'pin-unconfirmed' }
  const lock = door?.lock ?? row.lock ?? ''
  const newest = reader.count(newestAt, lock, row.providerId)
  const isOlder = doors.every(
    (each) => numberAt(each.row, each.door ? each.door.lock : each.row.lock) < newest,
  )
  if (isOlder) return { code: 'open-with-newest' }
  return { code: isSharedLock(reader, row.providerId, lock) ? 'erase-or-renew-all' : 'erase-or-renew' }
}

const says: Description = {
  id: 'listUnitsWithOlderKeys',
  summary: 'List units that an ended key may still open',
  notes: `Lists units with a key that was lost, revoked or superseded, or whose issuance or move has an unknown outcome, as
long as there is no proof that the key no longer opens it. A proof is: the card was erased, the lock system confirmed it, a newer
original key was used at the door, or the window is over. A PIN that is due and was not sent is listed by the unit for which it was
ordered, and a live key of a guest by the unit that it opens while a guest of another reservation is in house there. A key that was lost, or whose stay is over, has a line of its own for
the common doors that it may open: only its card or its end closes them.`,
  answers: {
    200: {
      schema: listOf(
        'unit-with-older-keys',
        exactly({
          unitName: { ...textOrNull, description: 'Null for common doors.' },
          authorizations: {
            ...list(text),
            description: 'The common doors that one key may still open, where `unitName` is null.',
          },
          providerId: uuid,
          until: { ...moment, description: 'When the last of these keys ends at its lock.' },
          keys: list(
            exactly({
              keyId: uuid,
              status: text,
              keyType: text,
              uid: textOrNull,
              stayId: textOrNull,
              validUntil: momentOrNull,
              ...attemptsSchema,
            }),
          ),
          remedy: { ...text, description: 'What to do.' },
          messages: messagesSchema,
        }),
      ),
    },
  },
  problems: ['unknown-parameter'],
}
