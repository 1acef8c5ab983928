import type { JsonSchema } from '../../../resource/field.ts'
import { didYouMean } from '../../../resource/nearest.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Adapter } from '../../contract.ts'
import type { Transport } from '../../resources/pms-configuration.ts'
import { carriers } from './carriers.ts'

/** The settings of a connection over any carrier. */
export interface ConnectionSettings {
  assignsUnits?: boolean
  lendsUnits?: boolean
}

const commonSettings: Record<string, JsonSchema> = {
  assignsUnits: {
    type: 'boolean',
    description:
      'True: the PMS assigns the units of its reservations. False: this appliance assigns them and reports them to the PMS.',
  },
  lendsUnits: {
    type: 'boolean',
    description:
      'True: the PMS grants leases of units. Without a connection, its reservations get only leased units.',
  },
}

const kinds = Object.values(carriers)

/** JSON Schema of the settings of all carriers; `checkSettings` refuses those of another carrier. */
export const connectionSchema: JsonSchema = {
  type: 'object',
  // The address is first for a person who fills this in.
  properties: Object.assign({}, ...kinds.map(({ connection }) => connection), commonSettings),
  additionalProperties: false,
}

export const credentialsSchema: JsonSchema = {
  type: 'object',
  properties: Object.assign({}, ...kinds.map(({ credentials }) => credentials)),
  additionalProperties: false,
}

/** Throws validation-failed for a setting of another transport, for a missing one, and for errors that the carrier finds. */
export const checkSettings: NonNullable<Adapter['check']> = ({ transport, connection, credentials }) => {
  const kind = carriers[transport as Transport]
  if (!kind) return
  for (const name of kind.required) {
    if (connection[name] === undefined)
      throw invalid(`/connection/${name}`, `${name} is required for ${transport}.`)
  }
  expectOnly('connection', connection, { ...commonSettings, ...kind.connection }, transport)
  expectOnly('credentials', credentials ?? {}, kind.credentials, transport)
  kind.check(connection, credentials ?? {})
}

function expectOnly(place: string, settings: object, allowed: object, transport: Transport | null): void {
  const strange = Object.keys(settings).find((name) => !Object.hasOwn(allowed, name))
  if (strange !== undefined)
    throw new Problem('validation-failed', `${strange} is not a setting of ${transport}.`, {
      pointer: `/${place}/${strange}`,
      didYouMean: didYouMean(strange, Object.keys(allowed)),
    })
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', detail, { pointer })
}
