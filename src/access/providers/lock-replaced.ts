import { type Description, exactly } from '../../jsonapi/description.ts'
import { metaAnswer } from '../../jsonapi/document-answers.ts'
import { type Route, routesAt } from '../../jsonapi/route.ts'
import { bodyOf } from '../../jsonapi/schemas/validate.ts'
import { count, text } from '../../jsonapi/schemas/words.ts'
import { writeOptions } from '../../jsonapi/write-options.ts'
import { command } from '../../resource/command.ts'
import { invalidValue } from '../../resource/problem.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import type { Property } from '../access.ts'
import { happen } from '../keys/life/key-life.ts'
import { accessProvider } from '../resources/access-provider.ts'
import { doorNamed } from '../resources/door.ts'
import { key } from '../resources/key.ts'
import { type KeyDoor, lockClockMs, openBy, opensUntil } from '../resources/key-door.ts'

/** The keys that a lock refuses only because it has seen a newer one, and whose window is not over. */
const forgotten = `providerId = ${ridOf('access_provider')} AND ${opensUntil} > ?
  AND rid IN (SELECT owner FROM key_door WHERE lock = ? AND proof = 'newer-original-used')`

/**
 * Stores that the lock of a unit was replaced or reset: it has forgotten the newest card that it has seen, so that older cards
 * open it again. Keys that only this had ended may open until their window is over, a newer card is used, or their card is
 * erased. Returns their number. Throws not-found, and validation-failed for a unit that the provider has no lock for.
 */
export const lockReplaced = command(
  'lock-replaced',
  (tx, { providerId, unitName }: { providerId: string; unitName: string }): number => {
    const { id } = tx.find(accessProvider, providerId)
    const door = doorNamed(tx, id, unitName)
    if (!door?.lock) throw invalidValue('/unitName', `The lock system has no lock for ${unitName}.`)
    const isForgotten = ({ lock, proof }: KeyDoor) => lock === door.lock && proof === 'newer-original-used'
    const rows = tx.rows(key, forgotten, id, tx.now - lockClockMs, door.lock)
    for (const row of rows) happen(tx, tx.patch(key, row.id, openBy(row.doorRows, isForgotten)), 'reopened')
    tx.journal('access-provider.lock-replaced', `access-providers/${id}`, { unitName })
    return rows.length
  },
)

/** The route by which an installer reports it. */
export function lockReplacedRoute({ writer }: Pick<Property, 'writer'>): Route {
  const path = 'access-providers/:id/actions/lock-replaced'
  return routesAt('/api/config/v1')('POST', path, accessProvider.scopes.write, says, async (request) => {
    const { unitName } = await bodyOf<{ unitName: string }>(request, bodySchema)
    const input = { providerId: request.params.id ?? '', unitName }
    const mayOpen = await writer.execute(lockReplaced, input, writeOptions(request))
    return metaAnswer({ unitName, mayOpen })
  })
}

const bodySchema = exactly({ unitName: { type: 'string', minLength: 1, maxLength: 60 } })

const says = {
  id: 'lockReplaced',
  summary: 'Report that the lock of a unit was replaced or reset',
  notes: `The lock has forgotten which cards are older. \`mayOpen\` is the number of keys that may open it again; the front desk has them
among the cards that may still open, until the newest card was used at the door.`,
  body: { schema: bodySchema, type: accessProvider.type, example: { unitName: '204' } },
  answers: { 200: { schema: exactly({ meta: exactly({ unitName: text, mayOpen: count }) }) } },
  problems: ['not-found'],
} satisfies Description
