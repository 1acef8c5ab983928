import type { JsonSchema } from '../../../resource/field.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Adapter } from '../../contract.ts'
import type { Transport } from '../../resources/pms-configuration.ts'
import { carriers } from './carriers.ts'

/** What a connection says whatever carries it. */
export interface ConnectionSettings {
  assignsUnits?: boolean
  lendsUnits?: boolean
}

const commonSettings: Record<string, JsonSchema> = {
  assignsUnits: {
    type: 'boolean',
    description: 'The PMS picks the units of its reservations; otherwise the house does, and tells it.',
  },
  lendsUnits: {
    type: 'boolean',
    description: 'The PMS lends units: without a line, none but those are given to its reservations.',
  },
}

const kinds = Object.values(carriers)

/** What any of the carriers is told; `checkSettings` knows which belongs to which. */
export const connectionSchema: JsonSchema = {
  type: 'object',
  properties: Object.assign({}, commonSettings, ...kinds.map(({ connection }) => connection)),
  additionalProperties: false,
}

export const credentialsSchema: JsonSchema = {
  type: 'object',
  properties: Object.assign({}, ...kinds.map(({ credentials }) => credentials)),
  additionalProperties: false,
}

/** Throws validation-failed for what belongs to another transport, for what is missing, and for what a carrier finds. */
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

function expectOnly(place: string, told: object, allowed: object, transport: Transport | null): void {
  const strange = Object.keys(told).find((name) => !Object.hasOwn(allowed, name))
  if (strange !== undefined)
    throw invalid(`/${place}/${strange}`, `${strange} is nothing that ${transport} needs.`)
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', detail, { pointer })
}
