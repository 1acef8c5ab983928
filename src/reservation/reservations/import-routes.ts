import { isResourceObject } from '../../jsonapi/body.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { metaAnswer } from '../../jsonapi/document-answers.ts'
import { isObject } from '../../jsonapi/envelope.ts'
import { asProblem, errorAnswer } from '../../jsonapi/errors.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { largeBody, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { count } from '../../jsonapi/schemas/words.ts'
import { isSet, writeOptions } from '../../jsonapi/write-options.ts'
import { batchTooLarge, Problem } from '../../resource/problem.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { readReservation } from '../stays/stay-body.ts'
import { rightsOf } from '../stays/stay-routes.ts'
import type { UpdateRights } from './import-again.ts'
import type { Imported } from './import-reservation.ts'
import type { ReservationCommands } from './reservation-commands.ts'

const route = routesAt('/api/config/v1')

/** The largest number of reservations in one request. */
const mostRows = 100

/**
 * The route that imports reservations with their history from another system. Each row is a reservation with its stays
 * and is accepted or refused on its own. A reservation that is stored already is compared, and is changed with `update=true`.
 * `meta.rows` holds the results in the order of the body.
 */
export function importRoutes(
  { writer }: Store,
  { importReservation }: Pick<ReservationCommands, 'importReservation'>,
): Route[] {
  return [
    {
      ...route('POST', 'imports', 'reservations.write', says, async (request) => {
        const given = rowsIn(await request.body())
        // The idempotency key of the request cannot identify single rows. The externalId identifies a row.
        const { idempotency, ...options } = writeOptions(request, ['update'])
        const update = isSet(request, 'update') ? updateRights(request) : null
        const seesStored = request.caller.may('reservations.read') && request.caller.may('profiles.read')
        const language = request.header('accept-language')
        const outcomes: ReturnType<typeof outcome>[] = []
        for (const [item, row] of given.entries()) {
          const reading = readRow(row)
          const written = outcome(item, language, async () =>
            writer.execute(importReservation, { ...(await reading), update }, options),
          )
          // It is awaited below, with the others.
          written.catch(() => {})
          outcomes.push(written)
          // Other requests run after an invalid row: to collect what is wrong with it takes the longest.
          await reading.catch(() => new Promise((resolve) => setImmediate(resolve)))
        }
        const results = await Promise.all(outcomes)
        const refused = results.filter((result) => 'errors' in result).length
        const isDifferent = (result: (typeof results)[number]) =>
          'differences' in result && result.differences.length > 0
        const differing = update ? 0 : results.filter(isDifferent).length
        const rows = seesStored ? results : results.map(withoutStored)
        return metaAnswer({ accepted: results.length - refused - differing, refused, differing, rows })
      }),
      largestBody: largeBody,
    },
  ]
}

/** What the caller may change in reservations that are stored. */
function updateRights(request: Request): UpdateRights {
  return { ...rightsOf(request), profiles: request.caller.may('profiles.write') }
}

/** A caller that may write reservations, but not read them with their guests, sees only which members differ. */
function withoutStored<Result extends object>(result: Result) {
  if (!('differences' in result)) return result
  const differences = (result.differences as Imported['differences']).map(({ stored: _, ...rest }) => rest)
  return { ...result, differences }
}

function rowsIn(body: unknown): unknown[] {
  const list = isObject(body) ? body.data : body
  if (!Array.isArray(list) || list.length === 0) {
    throw new Problem('validation-failed', 'Expected {"data": [reservation, ...]}.', { pointer: '' })
  }
  if (list.length <= mostRows) return list
  throw batchTooLarge('rows', list.length, mostRows)
}

async function readRow(row: unknown) {
  const { attributes, stays = [] } = await readReservation(isResourceObject(row) ? { data: row } : row)
  if (stays.length === 0) {
    throw new Problem('validation-failed', 'A reservation has at least one stay.', { pointer: '/stays' })
  }
  return { attributes, stays }
}

/** Returns the result of one row. An error with status 500 or higher fails the whole request. */
async function outcome(item: number, language: string, work: () => Promise<Imported>) {
  try {
    return { item, ...(await work()) }
  } catch (error) {
    const problem = asProblem(error)
    if (problem.status >= 500) throw error
    const { text = '' } = errorAnswer(problem, { prefix: `/data/${item}`, language })
    return { item, ...(JSON.parse(text) as { errors: object[] }) }
  }
}

const item = { type: 'integer', minimum: 0, description: 'The index of the row in the body, from 0.' }

const text = { type: ['string', 'null'] }

const difference = exactly(
  {
    field: { type: 'string', description: 'The path of the member in the row, such as `stays/0/startDate`.' },
    stored: { ...text, description: 'The stored value. It needs `reservations.read` and `profiles.read`.' },
    given: text,
  },
  ['stored'],
)

const says: Description = {
  id: 'importReservations',
  summary: 'Import reservations with their history',
  notes: `Each row is accepted or refused separately. A row whose externalId a reservation of the same integration has already, or had when it was imported, is
\`already\` there and is compared with what is stored. \`differences\` lists the members that differ, with values as a person reads them: units by
name, unit types by code, prices in major units. Without \`update=true\` nothing is changed, and such rows are counted as \`differing\`. With it, the
differences are applied by the rules and with the effects of a PATCH; overbooking is accepted, and a row that a rule refuses changes nothing.

What a row does not say is no difference: an absent member, a place without a unit, a guest, a stay or a line of a comment that the row does not have. The status of a
guest who is in house or has checked out since is none either. Stays are found again by their externalId; the only stay of a reservation needs
none. The rows are imported in their order: a second row with the same externalId is compared with the first as stored. Details of stored guests
need \`profiles.write\`. Profiles that are alike in several stays of a row are one guest, and become one profile.`,
  query: {
    update: {
      schema: { type: 'boolean', default: false },
      notes: 'Applies the differences of rows that are stored already.',
    },
  },
  body: { of: reservation, many: mostRows, inside: { stays: stay } },
  answers: {
    200: {
      schema: exactly({
        meta: exactly({
          accepted: count,
          refused: count,
          differing: count,
          rows: {
            type: 'array',
            items: {
              anyOf: [
                exactly({
                  item,
                  id: { type: 'string', format: 'uuid' },
                  already: { type: 'boolean' },
                  differences: { type: 'array', items: difference },
                }),
                exactly({ item, errors: { type: 'array', items: { type: 'object' } } }),
              ],
            },
          },
        }),
      }),
    },
  },
}
