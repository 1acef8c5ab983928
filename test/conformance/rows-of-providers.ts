import assert from 'node:assert/strict'
import { nobody } from './facts.ts'
import type { Row } from './row.ts'

const extension = '/pms/providers/{configurationId}/extensions/{extensionName}'
const capabilities = 'GET /pms/providers/{configurationId}/capabilities'

const named = (extensionName: string) => async () => ({ extensionName })
/** A PMS that takes a callback address. */
const takesWebhooks: Row['given'] = async ({ pms, configurationId }) => {
  pms.does({ extension: () => ({ is: 'answered', payload: { delivering: true } }) })
  return { configurationId, extensionName: 'webhooks' }
}
const unknown = { given: named('teapots'), code: 'extension-not-implemented' }

/** What is asked of a property management system through its adapter. */
export const providerRows: Row[] = [
  { of: `GET ${extension}`, status: 200, given: named('payment-methods') },
  { of: `GET ${extension}`, status: 404, ...unknown },
  {
    of: `POST ${extension}`,
    status: 200,
    given: takesWebhooks,
    body: { callbackUrl: 'https://pms.example/hook' },
  },
  { of: `POST ${extension}`, status: 404, ...unknown, body: {} },
  {
    of: `DELETE ${extension}`,
    status: 200,
    given: takesWebhooks,
    body: { callbackUrl: 'https://pms.example/hook' },
  },
  { of: `DELETE ${extension}`, status: 404, ...unknown },
  {
    of: capabilities,
    status: 200,
    also: ({ body }) => assert.equal(body.data.type, 'pms-capabilities'),
  },
  { of: capabilities, status: 404, given: async () => ({ configurationId: nobody }), code: 'not-found' },
]
