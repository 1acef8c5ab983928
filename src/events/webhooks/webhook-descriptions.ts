import { type Description, exactly } from '../../jsonapi/description.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import { webhook } from '../resources/webhook.ts'
import { webhookDelivery } from '../resources/webhook-delivery.ts'

const text = { type: 'string' }
const meta = {
  anyOf: [
    exactly({ secret: { ...text, description: 'What deliveries are signed with. It is shown this once.' } }),
    exactly({ note: { ...text, description: 'Why there is no value.' } }),
  ],
}
const plain = resourceDescriptions(webhook)

const trying =
  'The receiver is tried with the event `webhook.tested`, and must answer with a status of 200 to 299 within 10 s.'

export const says = {
  create: {
    ...plain.create,
    notes: `${trying} It hears of what its maker may read, from then on, in order for each subject, at least once: the same \`webhook-id\` is the same event. Deliveries are signed by the Standard Webhooks rules, and what fails is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 5 h, 10 h and 24 h.`,
    answers: { 201: { one: webhook, meta } },
  },
  patch: {
    ...plain.patch,
    notes: `What the body does not say stays. ${trying} So it is when the url, the secret or \`enabled\` changes. From then on it hears of what who changed it may read.`,
  },
  rotate: {
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret for a webhook',
    notes: 'Deliveries are signed with the old one as well for another day.',
    answers: { 200: { one: webhook, meta } },
    problems: ['revision-mismatch'],
  },
  test: {
    id: 'testWebhook',
    summary: 'Try a webhook with an event that says nothing',
    trial: false,
    answers: {
      200: {
        schema: exactly({
          data: exactly({
            type: { const: 'webhook-test' },
            id: { ...text, description: '`webhook-id` of what was sent.' },
            attributes: exactly({
              taken: { type: 'boolean' },
              status: { type: ['integer', 'null'], description: 'Of the answer; null without one.' },
              reason: { type: ['string', 'null'], description: 'Why it was not taken.' },
            }),
          }),
        }),
      },
    },
  },
  again: {
    id: 'sendWebhookAgain',
    summary: 'Send the events again that a webhook did not take',
    notes: 'Those that were given up, a thousand at once.',
    answers: {
      200: {
        schema: exactly({
          meta: exactly({
            waiting: { type: 'integer', description: 'How many will be sent again.' },
            more: { type: 'boolean', description: 'There are others: ask again.' },
          }),
        }),
      },
    },
  },
  oneAgain: {
    id: 'sendDeliveryAgain',
    summary: 'Send an event now that was not taken',
    notes: 'One that was given up has all its attempts before it again.',
    answers: { 200: { one: webhookDelivery } },
  },
} satisfies Record<string, Description>
