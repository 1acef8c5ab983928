import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CloudEvent } from 'cloudevents'
import { validate } from '../../../../src/jsonapi/schemas/validate.ts'
import { envelopeSchema } from '../../../../src/pms/adapters/cloudevents/messages/envelope.ts'
import { type MessageKind, messages } from '../../../../src/pms/adapters/cloudevents/messages/messages.ts'

const kinds = Object.entries(messages) as [string, MessageKind][]

describe('a message of the contract', () => {
  for (const [type, { data, example }] of kinds) {
    it(`${type} has an example that holds`, async () => {
      assert.equal(example.type, type)
      await validate(envelopeSchema, example)
      await validate(data, example.data)
      assert.equal(new CloudEvent({ ...example }).type, type)
    })
  }

  it('names its reply if and only if it is a request, and the reply goes back', () => {
    for (const [type, { is, reply, direction }] of kinds) {
      assert.equal(reply !== undefined, is === 'request', type)
      if (reply === undefined) continue
      assert.equal((messages[reply] as MessageKind).is, 'reply', type)
      assert.notEqual((messages[reply] as MessageKind).direction, direction, type)
    }
  })

  it('has a place among the changes if and only if the PMS tells it by itself', () => {
    for (const [type, { is, example }] of kinds) {
      assert.equal(
        example.sequence !== undefined && example.previous !== undefined,
        is === 'notification',
        type,
      )
    }
  })
})
