import type { Description } from '../../jsonapi/description.ts'
import { type Answer, largeBody, type Request, type Route } from '../../jsonapi/route.ts'
import { noContent } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { orAdapterProblem } from '../adapter-problem.ts'
import { envelopeSchema } from '../adapters/cloudevents/messages/envelope.ts'
import { reservationChanged } from '../adapters/cloudevents/messages/message-examples.ts'
import type { Pms } from '../pms.ts'

const oneEvent = 'application/cloudevents+json'
const manyEvents = 'application/cloudevents-batch+json'

/** The address at which a PMS reports changes, if it can reach the appliance. */
export function callbackRoute(pms: Pms): Route {
  async function callback({ params, header, text }: Request): Promise<Answer> {
    const row = pms.configurationBy(params.configurationId ?? '')
    const body = await text()
    if (body === '') throw new Problem('malformed-request', 'The body contains the change.')
    const given = { header, text: body }
    const reply = await orAdapterProblem(pms.callback(row, given))
    if (!reply) return noContent()
    return { status: reply.status, text: JSON.stringify(reply.body), type: 'application/json' }
  }

  return {
    method: 'POST',
    path: 'pms/providers/:configurationId/callback',
    base: '/api/v2',
    // A PMS has no token of the appliance: it signs its requests.
    scope: null,
    largestBody: largeBody,
    takes: [oneEvent, manyEvents],
    handle: callback,
    description: says,
  }
}

const says: Description = {
  id: 'tellHouse',
  summary: 'Receive changes from the PMS',
  notes: [
    'The PMS sends its changes here; the extension `webhooks` registers this address at the PMS. The request needs no token. It is signed by',
    'the Standard Webhooks rules with the secret of the registration: `webhook-id`, `webhook-timestamp` (within five minutes of the current time)',
    `and \`webhook-signature\`. The body is one CloudEvent, or up to a hundred as \`${manyEvents}\`. Events that do not arrive are fetched later.`,
    'A PMS that orders keys here sends its orders in its own form, with the credentials of its configuration, and gets its answer with the status 201.',
  ].join(' '),
  body: { media: oneEvent, schema: envelopeSchema, example: reservationChanged },
  answers: { 201: { schema: { type: 'object' }, type: 'application/json' }, 204: {} },
  problems: ['unauthenticated', 'configuration-disabled', 'batch-too-large'],
  device: true,
  trial: false,
}
