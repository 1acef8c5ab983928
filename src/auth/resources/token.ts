import { texts } from '../../resource/compound.ts'
import { instant, oneOf, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { roles } from '../roles.ts'
import { makerFields } from './maker-fields.ts'

/** A token. The text of a token is shown once and never stored; the store contains only its digest. */
export const token = resource('token', {
  base: '/api/config/v1',
  path: 'tokens',
  example: { name: 'Kiosk in the lobby', role: 'kiosk' },
  scopes: { read: 'tokens.read', write: 'tokens.write' },
  operations: ['list', 'read'],
  fields: {
    name: text({ required: true }),
    role: oneOf(roles, { required: true }),
    scopes: texts({ note: 'Scopes in addition to those of the role.' }),
    expiresAt: instant(),
    lastUsedAt: instant({ readOnly: true, unremarked: true, note: 'The last use, to the minute.' }),
    previousUntil: instant({
      readOnly: true,
      note: 'Until when the token before the last rotation stays valid.',
    }),
    ...makerFields,
    /** SHA-256, hex. */
    digest: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
    previousDigest: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
  },
})

/** A row of a token. */
export type Token = Row<typeof token.fields>
