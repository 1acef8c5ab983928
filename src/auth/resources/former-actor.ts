import { text, uuid } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'

/** The last name of a deleted account, token or station. The audit shows it for the actor's earlier changes. */
export const formerActor = resource('former-actor', {
  base: '/api/config/v1',
  path: 'former-actors',
  scopes: { read: 'audit.read', write: 'audit.read' },
  operations: [],
  bookkeeping: true,
  fields: {
    actorId: uuid({ required: true, unique: true }),
    name: text({ required: true }),
  },
})
