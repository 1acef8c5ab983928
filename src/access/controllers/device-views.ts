import { exactly } from '../../jsonapi/description.ts'
import { messagesSchema } from '../../jsonapi/locales/message.ts'
import { flag, list, text } from '../../jsonapi/schemas/words.ts'
import { json } from '../../resource/compound.ts'
import type { JsonSchema } from '../../resource/field.ts'
import { uuid } from '../../resource/fields.ts'
import { type Resource, resource } from '../../resource/resource.ts'
import { accessController } from '../resources/access-controller.ts'
import { commandedStates, dispenser, reportedStates } from '../resources/dispenser.ts'

/** An operation of a device, as an entry of its list names it. */
const operationSchema = exactly({
  operationId: { ...text, description: 'Its name in the OpenAPI document.' },
  method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  path: {
    ...text,
    description: 'The path with the id filled in. Parameters in braces are left to the client.',
  },
  summary: text,
})

/** A value that is computed for the answer. A list cannot be filtered or sorted by it. */
function computed(schema: JsonSchema, note: string, options: { required?: true } = {}) {
  return json(schema, { readOnly: true, ...options, note })
}

const required = { required: true } as const

const readiness = {
  isReady: computed(flag, 'Whether it can make or give out a key now.', required),
  reason: computed(text, 'Why it is not ready or will soon not be, for the staff. Null when all is well.'),
  messages: computed(messagesSchema, 'The sentences of `reason`.', required),
  operations: computed(list(operationSchema), 'What the caller may do with it.', required),
}

const { name, location, kind, keyType } = accessController.fields

/** A controller without its configuration, for clients that make keys with it. References are plain ids. */
export const controllerView: Resource = resource('controller', {
  path: 'access/controllers',
  scopes: { read: 'devices.read', write: 'config.write' },
  operations: [],
  fields: {
    name,
    location,
    kind,
    keyType,
    dispenserId: uuid({ note: 'The dispenser in which it stands.' }),
    cardFormats: computed(
      list(text),
      'The kinds of card that it writes keys to. Null where no card is written here: for a PIN, and where the lock system works its own encoders.',
    ),
    state: computed(
      { enum: ['online', 'starting', 'offline', 'closed'] },
      'The state of its connection.',
      required,
    ),
    ...readiness,
  },
})

/** A dispenser without its configuration, for clients that give out its cards. References are plain ids. */
export const dispenserView: Resource = resource('card-dispenser', {
  path: 'access/dispensers',
  scopes: { read: 'devices.read', write: 'config.write' },
  operations: [],
  fields: {
    name: dispenser.fields.name,
    acceptReturns: dispenser.fields.acceptReturns,
    presentTimeoutSeconds: dispenser.fields.presentTimeoutSeconds,
    controllerId: uuid({ note: 'The controller whose encoder stands in it.' }),
    state: computed(
      { enum: [...commandedStates, 'closed', ...reportedStates] },
      'What it does now, as its status names it.',
      required,
    ),
    ...readiness,
  },
})
