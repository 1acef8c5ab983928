import { type Description, listOf } from '../../../jsonapi/description.ts'
import { type Language, preferredLanguage } from '../../../jsonapi/locales/language.ts'
import { type MessageCode, messagesSchema, shownMessage } from '../../../jsonapi/locales/message.ts'
import { expectNoParameters } from '../../../jsonapi/query/query.ts'
import { type Route, routesAt } from '../../../jsonapi/route.ts'
import type { Filter } from '../../../resource/query.ts'
import type { Property, Work } from '../../access.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { doubtfulUnits } from '../key-places.ts'
import { attemptsSchema, shownAttempts } from '../pending/shown-attempts.ts'

const base = '/api/v2'
const route = routesAt(base)
const path = 'access/units-with-older-keys'
/** The highest number of keys of one status. */
const atMost = 1_000

/** The route that lists, by unit, keys that should open nothing and still may, with a remedy for each unit. */
export function olderKeysRoutes(access: Property & Work): Route[] {
  return [
    route('GET', path, 'keys.read', says, ({ query, header }) => {
      expectNoParameters(query)
      const language = preferredLanguage(header('accept-language'))
      const found = [...older(access), ...unmoved(access)]
      const units = [...byUnit(found).values()].map((keys) => documentOf(access, keys, language))
      return {
        status: 200,
        text: JSON.stringify({ data: units, links: { self: `${base}/${path}` } }),
      }
    }),
  ]
}

function older({ reader }: Property): Key[] {
  return (['blocked', 'revocationPending', 'unknown', 'superseded'] as const).flatMap((status) =>
    reader.rows(key, {
      filters: [
        { path: 'status', operator: 'eq', value: status },
        { path: 'mayOpen', operator: 'eq', value: 1 },
      ],
      sort: [{ path: 'createdAt', descending: false }],
      page: { size: atMost },
    }),
  )
}

/** Live keys that may open a wrong unit, because the outcome of a move is unknown. */
function unmoved({ reader }: Property): Key[] {
  const filters: Filter[] = [
    { path: 'changeAskedAt', operator: 'notnull', value: null },
    { path: 'status', operator: 'eq', value: 'live' },
  ]
  const rows = reader.rows(key, { filters, sort: [], page: { size: atMost } })
  return rows.flatMap((row) => doubtfulUnits(row).map((unitName) => ({ ...row, unitName })))
}

function byUnit(keys: Key[]): Map<string, Key[]> {
  return Map.groupBy(keys, ({ providerId, unitName }) => `${providerId}:${unitName}`)
}

function documentOf(access: Property & Work, keys: Key[], language: Language) {
  const remedy = shownMessage(language, { code: remedyOf(access, keys) })
  const [first] = keys as [Key]
  const { unitName = null, providerId } = first
  const ends = keys.map(({ validUntil }) => validUntil ?? 0)
  return {
    type: 'unit-with-older-keys',
    id: `${providerId}:${unitName}`,
    attributes: {
      unitName,
      providerId,
      until: new Date(Math.max(...ends)).toISOString(),
      keys: keys.map(({ id, status, keyType, uid, validUntil, stayId }) => ({
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

/** The remedy for one unit, for the front desk. */
function remedyOf({ reader }: Property, keys: Key[]): MessageCode {
  const [{ unitName, providerId, keyType }] = keys as [Key]
  if (keys.every(({ changeAskedAt }) => changeAskedAt)) return 'move-unconfirmed'
  if (keyType === 'pinCode') return 'pin-unconfirmed'
  const live: KeyStatus = 'live'
  const filters = [
    { path: 'unitName', operator: 'eq' as const, value: unitName ?? '' },
    { path: 'status', operator: 'eq' as const, value: live },
    { path: 'providerId', operator: 'eq' as const, value: providerId },
  ]
  const newest = reader
    .rows(key, { filters, sort: [], page: { size: 100 } })
    .some(({ original, usage }) => original && usage !== 'Spare')
  return newest ? 'open-with-newest' : 'erase-or-renew'
}

const text = { type: 'string' }
const orNull = { type: ['string', 'null'] }
const moment = { type: 'string', format: 'date-time' }

const says: Description = {
  id: 'listUnitsWithOlderKeys',
  summary: 'List units that an ended key may still open',
  notes: `Lists units with a key that was lost, revoked or superseded, or whose issuance or move has an unknown outcome, as
long as there is no proof that the key no longer opens. A proof is: the card was erased, the lock system confirmed it, a newer
original key was used at the door, or the window is over.`,
  answers: {
    200: {
      schema: listOf('unit-with-older-keys', {
        type: 'object',
        required: ['unitName', 'providerId', 'until', 'keys', 'remedy', 'messages'],
        additionalProperties: false,
        properties: {
          unitName: orNull,
          providerId: { type: 'string', format: 'uuid' },
          until: { ...moment, description: 'When the window of the last of these keys ends.' },
          keys: {
            type: 'array',
            items: {
              type: 'object',
              required: [
                'keyId',
                'status',
                'keyType',
                'uid',
                'stayId',
                'validUntil',
                'attempts',
                'nextAttemptAt',
              ],
              additionalProperties: false,
              properties: {
                keyId: { type: 'string', format: 'uuid' },
                status: text,
                keyType: text,
                uid: orNull,
                stayId: orNull,
                validUntil: { type: ['string', 'null'], format: 'date-time' },
                ...attemptsSchema,
              },
            },
          },
          remedy: { type: 'string', description: 'What to do.' },
          messages: messagesSchema,
        },
      }),
    },
  },
  problems: ['unknown-parameter'],
}
