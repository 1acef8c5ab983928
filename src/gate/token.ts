import { texts } from '../resource/compound.ts'
import { instant, oneOf, text } from '../resource/fields.ts'
import { type Row, resource } from '../resource/resource.ts'
import { roles } from './scopes.ts'

/** What lets somebody in. The token itself is shown once and never kept: only its digest is. */
export const token = resource('token', {
  base: '/api/config/v1',
  path: 'tokens',
  example: { name: 'Kiosk in the lobby', role: 'kiosk' },
  scopes: { read: 'tokens.read', write: 'tokens.write' },
  operations: ['list', 'read', 'remove'],
  fields: {
    name: text({ required: true }),
    role: oneOf(roles, { required: true }),
    /** Scopes beyond those of the role. */
    scopes: texts(),
    expiresAt: instant(),
    /** To the minute. */
    lastUsedAt: instant({ readOnly: true, unremarked: true }),
    /** Until when the token that was there before the last rotation opens too. */
    previousUntil: instant({ readOnly: true }),
    /** SHA-256, hex. */
    digest: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
    previousDigest: text({ hidden: true, readOnly: true, unique: true, filterable: false }),
  },
})

export type Token = Row<typeof token.fields>
