import { reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** An address that was registered through the extension `webhooks` of a configuration. */
export const pmsWebhook = resource('pms-webhook', {
  base: '/api/config/v1',
  path: 'pms-webhooks',
  scopes: { read: 'config.read', write: 'config.write' },
  operations: ['list', 'read'],
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    callbackUrl: text({ readOnly: true, max: 2000 }),
  },
  indexes: [{ fields: ['configurationId'], why: 'the registrations of a configuration' }],
})

export type PmsWebhook = Row<typeof pmsWebhook.fields>
