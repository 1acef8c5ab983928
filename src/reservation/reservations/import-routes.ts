import { isResourceObject } from '../../jsonapi/body.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { metaAnswer } from '../../jsonapi/document-answers.ts'
import { isObject } from '../../jsonapi/envelope.ts'
import { asProblem, errorAnswer } from '../../jsonapi/errors.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { largeBody, type Route, routesAt } from '../../jsonapi/route.ts'
import { count } from '../../jsonapi/schemas/words.ts'
import { writeOptions } from '../../jsonapi/write-options.ts'
import { batchTooLarge, Problem } from '../../resource/problem.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { readReservation } from '../stays/stay-body.ts'
import type { Imported } from './import-reservation.ts'
import type { ReservationCommands } from './reservation-commands.ts'

const route = routesAt('/api/config/v1')

/** The largest number of reservations in one request. */
const mostRows = 100

/**
 * The route that imports reservations with their history from another system. Each row is a reservation with its stays
 * and is accepted or refused on its own. `meta.rows` holds the results in the order of the body.
 */
export function importRoutes(
  { writer }: Store,
  { importReservation }: Pick<ReservationCommands, 'importReservation'>,
): Route[] {
  return [
    {
      ...route('POST', 'imports', 'reservations.write', says, async (request) => {
        const rows = rowsIn(await request.body())
        // The idempotency key of the request cannot identify single rows. The externalId identifies a row.
        const { idempotency, ...options } = writeOptions(request)
        const language = request.header('accept-language')
        const outcomes: ReturnType<typeof outcome>[] = []
        for (const [item, row] of rows.entries()) {
          const reading = readRow(row)
          const written = outcome(item, language, async () =>
            writer.execute(importReservation, await reading, options),
          )
          // It is awaited below, with the others.
          written.catch(() => {})
          outcomes.push(written)
          // Other requests run after an invalid row: to collect what is wrong with it takes the longest.
          await reading.catch(() => new Promise((resolve) => setImmediate(resolve)))
        }
        const results = await Promise.all(outcomes)
        const refused = results.filter((result) => 'errors' in result).length
        const meta = { accepted: results.length - refused, refused, rows: results }
        return metaAnswer(meta)
      }),
      largestBody: largeBody,
    },
  ]
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

const says: Description = {
  id: 'importReservations',
  summary: 'Import reservations with their history',
  notes: `Each row is accepted or refused separately. A row whose externalId a reservation of the same integration has already, or had when it was imported, is accepted and
changes nothing. Profiles that are alike in several stays of a row are one guest, and become one profile.`,
  body: { of: reservation, many: mostRows, inside: { stays: stay } },
  answers: {
    200: {
      schema: exactly({
        meta: exactly({
          accepted: count,
          refused: count,
          rows: {
            type: 'array',
            items: {
              anyOf: [
                exactly({ item, id: { type: 'string', format: 'uuid' }, already: { type: 'boolean' } }),
                exactly({ item, errors: { type: 'array', items: { type: 'object' } } }),
              ],
            },
          },
        }),
      }),
    },
  },
}
