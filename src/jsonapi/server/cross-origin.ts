import cors from '@koa/cors'
import type Koa from 'koa'

/** The response headers that scripts may read. */
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

/**
 * Allows scripts of these origins to call the interfaces from a browser, such as the page of a kiosk that is
 * served elsewhere. Other origins may not.
 */
export function crossOrigin(origins: readonly string[]): Koa.Middleware {
  return cors({
    origin: (ctx) => (origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    exposeHeaders: shown,
    maxAge: 600,
    // The page may come from the internet while the box is in a private network.
    privateNetworkAccess: true,
  })
}
