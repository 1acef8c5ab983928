import { exactly } from '../../jsonapi/description.ts'
import { uuid } from '../../jsonapi/schemas/words.ts'
import { json, valueList } from '../../resource/compound.ts'
import { flag, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** The PMS's code for an encoder, and the controller that it stands for. */
export interface ServedEncoder {
  code: string
  controllerId: string
}

const encoder = exactly({ code: { type: 'string', minLength: 1, maxLength: 60 }, controllerId: uuid })

/** A link over which a foreign PMS orders keys at this appliance's encoders, as at a lock system. It is kept open. */
export const keyService = resource('key-service', {
  base: '/api/config/v1',
  path: 'key-services',
  scopes: { read: 'config.read', write: 'config.write' },
  operations: ['list', 'read'],
  fields: {
    name: text({ required: true }),
    driver: text({
      required: true,
      max: 60,
      note: 'The protocol of the PMS: a driver of this build. It defines the members of `connection`.',
    }),
    enabled: flag({ default: true }),
    connection: json<Record<string, unknown>, { required: true }>({ type: 'object' }, { required: true }),
    encoders: valueList<ServedEncoder>(encoder, {
      max: 100,
      note: 'Encoder names of the PMS, mapped to access controllers.',
    }),
  },
})

export type KeyService = Row<typeof keyService.fields>
