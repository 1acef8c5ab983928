import { createHash } from 'node:crypto'
import type { Description } from '../jsonapi/description.ts'
import type { Answer, Route } from '../jsonapi/route.ts'
import { docsFile, docsPage } from './docs-files.ts'
import type { Described } from './document.ts'

/**
 * Returns the routes for the OpenAPI document and for a page that shows it without the internet. The document
 * is built on the first request. `described` is a function, because it may name the interfaces that contain
 * these routes.
 */
export function openApiRoutes(described: () => Described): Route[] {
  let document: Promise<Answer> | undefined
  const open = { method: 'GET', base: '', scope: null, quota: 'file' } as const
  return [
    {
      ...open,
      path: 'openapi.json',
      handle: () => {
        document ??= built(described())
        return document
      },
      description: says.document,
    },
    {
      ...open,
      path: 'docs',
      handle: async () => {
        const { text, type } = await docsPage()
        return tagged(text, type, pageHeaders)
      },
      description: says.page,
    },
    {
      ...open,
      path: 'docs/:file',
      handle: async ({ params }) => {
        const { text, type } = await docsFile(params.file ?? '')
        return tagged(text, type)
      },
      description: says.file,
    },
  ]
}

async function built(described: Described): Promise<Answer> {
  const { openApi } = await import('./document.ts')
  return tagged(JSON.stringify(openApi(described)), 'application/json')
}

/** The page loads, runs and contacts only this appliance. */
const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
}

/** Returns an answer that clients may cache but must revalidate: 304 while it is unchanged. */
export function tagged(text: string, type: string, headers: Record<string, string> = {}): Answer {
  const ETag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return { status: 200, text, type, headers: { ETag, 'Cache-Control': 'no-cache', ...headers } }
}

const says = {
  document: {
    id: 'readOpenApi',
    summary: 'Read this document',
    answers: { 200: { schema: { type: 'object' }, type: 'application/json', tagged: true } },
  },
  page: {
    id: 'readDocs',
    summary: 'Browse this document',
    answers: { 200: { schema: { type: 'string' }, type: 'text/html', tagged: true } },
  },
  file: {
    id: 'readDocsFile',
    summary: 'Read a file of the page',
    path: { file: { schema: { type: 'string' } } },
    answers: { 200: { schema: { type: 'string' }, type: 'text/*', tagged: true } },
  },
} satisfies Record<string, Description>
