import { command, type Transaction } from '../../resource/command.ts'
import { uuidPattern } from '../../resource/fields.ts'
import type { Filter } from '../../resource/query.ts'
import { type Station, station } from '../resources/station.ts'
import { type Token, token } from '../resources/token.ts'
import { scopesHeld } from '../roles.ts'
import { grants, wordsIn } from '../scopes.ts'
import { endSessionsOf } from '../sessions/session-commands.ts'
import { rightIsDecided, rightToConfirm } from './right-to-confirm.ts'

/** The token or the account of an actor or a caller; null for one that is neither, such as the pairing code. */
export function makerOf({ by }: { by: string }): string | null {
  return uuidPattern.test(by) ? by : null
}

/** Who gives a token or a station its rights answers for it from now on. */
export const madeNow = (tx: Transaction) => ({ makerId: makerOf(tx.actor), refusedAt: null })

/** What an account or a token has made. */
type Made = { kind: 'token'; row: Token } | { kind: 'station'; row: Station }

/** The scopes that a made right has, without wildcards. A station other than a kiosk has none without a person. */
function scopesOfMade({ kind, row }: Made): readonly string[] {
  if (kind === 'token') return scopesHeld(row).flatMap(wordsIn)
  return row.kind === 'kiosk' ? scopesHeld({ role: 'kiosk' }).flatMap(wordsIn) : []
}

/**
 * Bounds what an account or a token has made by the scopes that it has now, in the transaction of a command; null when it is
 * disabled or gone. A right that exceeds them is refused from now on, and is to be confirmed by an administrator. One that
 * was refused, and is covered again, is valid again.
 */
export function boundByMaker(tx: Transaction, makerId: string, scopes: readonly string[] | null): void {
  for (const made of madeBy(tx, makerId)) {
    const isCovered = scopesOfMade(made).every((scope) => scopes !== null && grants(scopes, scope))
    if (isCovered === isRefused(made)) (isCovered ? lift : refuse)(tx, made)
  }
}

const isRefused = ({ row }: Made): boolean => typeof row.refusedAt === 'number'

function madeBy(tx: Transaction, makerId: string): Made[] {
  const filters: Filter[] = [{ path: 'makerId', operator: 'eq', value: makerId }]
  const tokens = tx.select(token, filters, [], most).map((row): Made => ({ kind: 'token', row }))
  const stations = tx.select(station, filters, [], most).map((row): Made => ({ kind: 'station', row }))
  return [...tokens, ...stations]
}

const most = 10_000

function refuse(tx: Transaction, made: Made): void {
  const { kind, row } = made
  const { id: rightId, name } = row
  set(tx, made, { refusedAt: tx.now })
  rightIsDecided(tx, rightId)
  tx.insert(rightToConfirm, { kind, name, rightId, reason: 'maker', since: tx.now })
  if (kind === 'station') endSessionsOf(tx, { of: 'stationId', id: rightId, reason: 'revoked' })
  else boundByMaker(tx, rightId, null)
}

function lift(tx: Transaction, made: Made): void {
  set(tx, made, { refusedAt: null })
  rightIsDecided(tx, made.row.id)
  if (made.kind === 'token') boundByMaker(tx, made.row.id, scopesOfMade(made))
}

function set(
  tx: Transaction,
  { kind, row }: Made,
  changes: { refusedAt: number | null; makerId?: string | null },
) {
  if (kind === 'token') tx.patch(token, row.id, changes)
  else tx.patch(station, row.id, changes)
}

/**
 * The command with which an administrator confirms a right. One that is refused is valid again, and is bounded by the rights of
 * the administrator from now on.
 */
export const confirmRight = command(
  'rights/confirm',
  (tx, input: { id: string; revision?: number | undefined }): null => {
    tx.expectRevision(rightToConfirm, input)
    const { kind, rightId, reason, id } = tx.find(rightToConfirm, input.id)
    if (reason === 'maker') {
      const made: Made =
        kind === 'token'
          ? { kind, row: tx.find(token, rightId) }
          : { kind: 'station', row: tx.find(station, rightId) }
      set(tx, made, madeNow(tx))
      if (made.kind === 'token') boundByMaker(tx, rightId, scopesOfMade(made))
    }
    tx.remove(rightToConfirm, id)
    return null
  },
)
