import { exactly, listOf } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Route } from '../../jsonapi/route.ts'
import { type Policy, policies, type RateLimits } from './rate-limits.ts'

const base = '/api/config/v1'

const counted: Record<Policy, { per: 'token' | 'address'; what: string }> = {
  read: { per: 'token', what: 'GET' },
  write: { per: 'token', what: 'POST, PUT, PATCH and DELETE' },
  search: { per: 'token', what: 'searches for reservations with a token that may not list them' },
  auth: { per: 'address', what: 'failed authentications and pairing attempts' },
  open: { per: 'address', what: 'requests without a token, except for files' },
  file: { per: 'address', what: 'files without a token: the handbook, the documentation, and pages' },
}

/** Returns the route for the quotas in force. They are set in nightporter.json. */
export function rateLimitRoutes(limits: RateLimits): Route[] {
  const data = policies.map((policy) => {
    const { quota, seconds } = limits[policy]
    return {
      type: 'rate-limit',
      id: policy,
      attributes: { quota, windowSeconds: seconds, ...counted[policy] },
    }
  })
  const text = JSON.stringify({ data, links: { self: `${base}/rate-limits` } })
  return [
    {
      method: 'GET',
      path: 'rate-limits',
      base,
      scope: 'config.read',
      description: {
        id: 'listRateLimits',
        summary: 'List the quotas in force',
        answers: { 200: { schema: listOf('rate-limit', attributes) } },
        problems: ['unknown-parameter'],
      },
      handle: ({ query }) => {
        expectNoParameters(query)
        return { status: 200, text }
      },
    },
  ]
}

const count = { type: 'integer', minimum: 1 }
const attributes = exactly({
  quota: count,
  windowSeconds: count,
  per: { enum: ['token', 'address'] },
  what: { type: 'string' },
})
