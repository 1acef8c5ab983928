import { type Description, exactly } from '../../jsonapi/description.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { text } from '../../jsonapi/schemas/words.ts'
import { webhook } from '../resources/webhook.ts'
import { webhookDelivery } from '../resources/webhook-delivery.ts'

const meta = {
  anyOf: [
    exactly({
      secret: { ...text, description: 'The secret that signs the deliveries. It is shown only once.' },
    }),
    exactly({ note: { ...text, description: 'The reason why the secret is not shown.' } }),
  ],
}
const plain = resourceDescriptions(webhook)

const trying =
  'The appliance sends the event `webhook.tested` to the receiver, which must answer with a status of 200 to 299 within 10 s. With dryRun it sends nothing.'

export const says = {
  create: {
    ...plain.create,
    notes: `${trying} The webhook receives later events of resources that the creating token may read, in order for each subject and at least once: deliveries with the same \`webhook-id\` are the same event. Deliveries are signed by the Standard Webhooks rules. A delivery that the receiver refuses, or does not answer, is retried after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h and 24 h. While no connection can be made, it waits without using up these attempts, until 30 days after the event.`,
    answers: { 201: { one: webhook, meta } },
  },
  patch: {
    ...plain.patch,
    notes: `Fields that the body omits are not changed. If the url or the secret changes, or the webhook is enabled, the receiver is tested: ${trying} From then on the webhook receives events of resources that the token of this request may read.`,
  },
  rotate: {
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret for a webhook',
    notes: 'For 24 hours, deliveries are signed with the old secret as well.',
    answers: { 200: { one: webhook, meta } },
    problems: ['revision-mismatch'],
  },
  test: {
    id: 'testWebhook',
    summary: 'Send a test event to a webhook',
    trial: false,
    answers: {
      200: {
        schema: exactly({
          data: exactly({
            type: { const: 'webhook-test' },
            id: { ...text, description: 'The `webhook-id` of the test event.' },
            attributes: exactly({
              taken: { type: 'boolean' },
              status: {
                type: ['integer', 'null'],
                description: 'The HTTP status of the answer; null if there was none.',
              },
              reason: {
                type: ['string', 'null'],
                description: 'Why the delivery failed; null if it succeeded.',
              },
            }),
          }),
        }),
      },
    },
  },
  again: {
    id: 'sendWebhookAgain',
    summary: 'Send the failed deliveries of a webhook again',
    notes:
      'Deliveries in the state `dead`, at most 1,000 for each request, the oldest event first. They may come after newer events of their subject, with a lower `sequence`.',
    answers: {
      200: {
        schema: exactly({
          meta: exactly({
            waiting: { type: 'integer', description: 'The number of deliveries that will be sent again.' },
            more: { type: 'boolean', description: 'Whether more are left. Repeat the request for them.' },
          }),
        }),
      },
    },
  },
  oneAgain: {
    id: 'sendDeliveryAgain',
    summary: 'Send a failed delivery again now',
    notes: 'A delivery in the state `dead` gets all its attempts again.',
    answers: { 200: { one: webhookDelivery } },
  },
} satisfies Record<string, Description>
