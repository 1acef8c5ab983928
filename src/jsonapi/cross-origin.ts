import cors from '@koa/cors'
import type Koa from 'koa'

/** What scripts may see of an answer beside its body. */
const shown = [
  'ETag',
  'Location',
  'Link',
  'Deprecation',
  'Sunset',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'Idempotency-Replayed',
  'Preference-Applied',
  'X-Request-Id',
  'X-API-Version',
  'X-Stability',
]

/** Lets the scripts of these origins ask from a browser, such as a kiosk's page that is served elsewhere; others may not. */
export function crossOrigin(origins: readonly string[]): Koa.Middleware {
  return cors({
    origin: (ctx) => (origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    exposeHeaders: shown,
    maxAge: 600,
    // The page may come from the internet, and the box stands in the house.
    privateNetworkAccess: true,
  })
}
