import type { Transaction } from '../../resource/command.ts'
import { instant, oneOf, text, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** The kinds of rights at the box. */
export const rightKinds = ['token', 'account', 'station'] as const
export type RightKind = (typeof rightKinds)[number]

/**
 * A token, an account or a station about which an administrator has to decide. `restored`: a restored backup has brought it
 * back, and the box does not know whether it was revoked, disabled or changed after the backup; until then it is valid.
 * `maker`: its maker has lost rights that it has; until then it is refused. The administrator confirms it by
 * removing this row. The row is also removed when the right itself is changed or ended.
 */
export const rightToConfirm = resource('right-to-confirm', {
  base: '/api/config/v1',
  path: 'rights-to-confirm',
  scopes: { read: 'accounts.read', write: 'accounts.write' },
  operations: ['list', 'read'],
  fields: {
    kind: oneOf(rightKinds, { required: true, readOnly: true }),
    name: text({ required: true, readOnly: true }),
    rightId: uuid({
      required: true,
      readOnly: true,
      unique: true,
      note: 'The id of the token, the account or the station.',
    }),
    reason: oneOf(['restored', 'maker'], { required: true, readOnly: true }),
    since: instant({
      required: true,
      readOnly: true,
      note: 'When the backup was made: what ended later is not known. Or when the maker lost the rights.',
    }),
  },
})

export type RightToConfirm = Row<typeof rightToConfirm.fields>

/** Notes that a person has decided about a right, in the transaction of a command: nothing is left to confirm. */
export function rightIsDecided(tx: Transaction, rightId: string): void {
  const filter = { path: 'rightId', operator: 'eq', value: rightId } as const
  for (const { id } of tx.select(rightToConfirm, [filter], [], 1)) tx.remove(rightToConfirm, id)
}
