import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { validate } from '../../../../src/jsonapi/schemas/validate.ts'
import { envelopeSchema } from '../../../../src/pms/adapters/cloudevents/messages/envelope.ts'
import { type MessageKind, messages } from '../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import type { JsonSchema } from '../../../../src/resource/field.ts'

const text = readFileSync(
  new URL('../../../../src/pms/adapters/cloudevents/README.md', import.meta.url),
  'utf8',
)
const examples = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => JSON.parse(json))

/** What each body without an envelope is the data of, by a member that only it has. */
const bodies: Record<string, keyof typeof messages> = {
  changes: 'pms.changes.replied',
  offers: 'pms.reservations.offered',
  answers: 'pms.offers.answered',
  capabilities: 'pms.capabilities.replied',
}

describe('the page for vendors', () => {
  for (const [index, example] of examples.entries()) {
    const type = example.type ?? bodies[Object.keys(bodies).find((name) => name in example) ?? '']
    it(`has an example ${index + 1} that holds: ${type}`, async () => {
      const { data } = messages[type as keyof typeof messages] as MessageKind
      if ('specversion' in example) await validate(envelopeSchema, example)
      await validate(
        data as JsonSchema,
        'specversion' in example ? example.data : { ...additions(type), ...example },
      )
    })
  }

  it('names every message', () => {
    for (const type of Object.keys(messages)) assert.ok(text.includes(`\`${type}\``), type)
  })
})

/** What HTTP need not say, because the connection does. */
function additions(type: string): object {
  return type === 'pms.capabilities.replied' ? { requestId: '019faa00-0000-7000-8000-000000000005' } : {}
}
