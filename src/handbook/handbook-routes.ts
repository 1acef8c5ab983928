import { createHash } from 'node:crypto'
import { type Description, exactly } from '../jsonapi/description.ts'
import { type Answer, mediaType, type Request, type Route } from '../jsonapi/route.ts'
import { tagged } from '../openapi/openapi-routes.ts'
import { nearest } from '../resource/nearest.ts'
import { Problem } from '../resource/problem.ts'
import {
  pageNames,
  pictureNames,
  readChangelog,
  readPage,
  readPicture,
  searchScript,
  styleSheet,
} from './pages.ts'

/**
 * Returns the routes of `/`, of the index of everything that needs no token, and of the handbook: its pages as HTML
 * without scripts, but for the search of its index, and as their Markdown source, and its pictures. Pages are read and rendered at each request, so they
 * use no memory. A browser at `/` is redirected to the front desk; if the appliance has no owner, to the set-up.
 */
export function handbookRoutes(version: string, isOwned: () => boolean): Route[] {
  const open = { method: 'GET', base: '', scope: null, quota: 'file' } as const
  return [
    {
      ...open,
      path: '',
      handle: (request) =>
        isBrowser(request) ? sentTo(isOwned() ? '/desk' : '/setup') : doorsDocument(version),
      description: says.doors,
    },
    {
      ...open,
      path: 'doors',
      handle: async () => html((await pages()).doorsHtml(version)),
      description: says.doorsPage,
    },
    {
      ...open,
      path: 'handbook',
      handle: async () => html(await (await pages()).indexHtml(), {}, searching),
      description: says.index,
    },
    { ...open, path: 'handbook/:page', handle: file, description: says.page },
    { ...open, path: 'handbook/pictures/:file', handle: picture, description: says.picture },
  ]
}

/** The renderer and its library are loaded at the first request of a page. */
const pages = () => import('./handbook-page.ts')

/** Returns whether the client prefers HTML, as a browser does. */
export const isBrowser = ({ header }: Request) => header('accept').includes('text/html')

/** Redirects without caching, because the target changes when the appliance gets an owner. */
function sentTo(Location: string): Answer {
  return { status: 302, headers: { Location, Vary: 'Accept', 'Cache-Control': 'no-store' } }
}

function doorsDocument(version: string): Answer {
  const links = {
    self: '/',
    handbook: '/handbook',
    docs: '/docs',
    openapi: '/openapi.json',
    asyncapi: '/asyncapi.json',
    pmsOpenapi: '/pms-openapi.json',
    problems: '/problems',
    readiness: '/readyz',
    status: '/api/v2/status',
  }
  const text = JSON.stringify({ meta: { name: 'nightporter', version }, links })
  return tagged(text, mediaType, { Vary: 'Accept' })
}

async function file(request: Request): Promise<Answer> {
  const asked = request.params.page ?? ''
  if (asked === 'handbook.css') return tagged(await styleSheet(), 'text/css; charset=utf-8')
  if (asked === 'search.js') return tagged(await searchScript(), 'text/javascript; charset=utf-8')
  if (asked === 'changelog.md') return tagged(await readChangelog(), 'text/markdown; charset=utf-8')
  if (asked === 'changelog') return html((await pages()).changelogHtml(await readChangelog()))
  const names = await pageNames()
  const name = asked.replace(/\.md$/, '')
  if (!names.includes(name)) return missing(request, name, names)
  const page = await readPage(name)
  if (asked !== name) return tagged(page.markdown, 'text/markdown; charset=utf-8')
  return html(await (await pages()).pageHtml(page))
}

async function picture({ params }: Request): Promise<Answer> {
  const name = params.file ?? ''
  const names = await pictureNames()
  if (!names.includes(name)) throw new Problem('not-found', 'The handbook has no picture of this name.')
  const bytes = await readPicture(name)
  const ETag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const headers = { ETag, 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'same-origin' }
  return { status: 200, bytes, type: 'image/webp', headers }
}

async function missing(request: Request, asked: string, names: readonly string[]): Promise<Answer> {
  const near = await readPage(nearest(asked, names)!)
  if (!isBrowser(request)) {
    const detail = `The handbook has no page of this name. The nearest is /handbook/${near.name}.`
    throw new Problem('not-found', detail)
  }
  const { headers: { ETag: _, ...headers } = {}, ...answer } = html((await pages()).missingHtml(asked, near))
  return { ...answer, headers: { ...headers, 'Content-Language': 'en' }, status: 404 }
}

/** The pages may load only their style sheet and pictures, and run no scripts. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]
/** The index runs the search, which reads the other pages. */
const searching = ["script-src 'self'", "connect-src 'self'"]

/**
 * Answers an HTML page, which may load nothing but the style sheet and the pictures of the handbook, and what `allowed` says
 * besides.
 */
export function html(
  text: string,
  more: Record<string, string> = {},
  allowed: readonly string[] = [],
): Answer {
  const headers = {
    'Content-Security-Policy': [...policy, ...allowed].join('; '),
    'Referrer-Policy': 'no-referrer',
    ...more,
  }
  return tagged(text, 'text/html; charset=utf-8', headers)
}

const link = { type: 'string' }
const text = { schema: { type: 'string' }, tagged: true } as const
const says = {
  doors: {
    id: 'readDoors',
    summary: 'See what this appliance serves',
    notes:
      'A browser (`Accept: text/html`) is sent to `/desk`, or to `/setup` while the appliance has no account. Every other client gets a document of links.',
    answers: {
      200: {
        schema: exactly({
          meta: exactly({ name: link, version: link }),
          links: { type: 'object', additionalProperties: link },
        }),
        tagged: true,
      },
      302: {},
    },
  },
  doorsPage: {
    id: 'readDoorsPage',
    summary: 'Read a page of what this appliance serves',
    answers: { 200: { ...text, type: 'text/html' } },
  },
  index: {
    id: 'readHandbook',
    summary: 'List the pages of the handbook',
    answers: { 200: { ...text, type: 'text/html' } },
  },
  page: {
    id: 'readHandbookPage',
    summary: 'Read a page of the handbook',
    notes:
      '`start` is the page as HTML, `start.md` as Markdown; `changelog` is what is new. The 404 for any other name says which page is the nearest; a browser gets it as HTML.',
    path: { page: { schema: { type: 'string' } } },
    answers: { 200: { ...text, type: 'text/*' } },
    isMissingPage: true,
  },
  picture: {
    id: 'readHandbookPicture',
    summary: 'Read a picture of the handbook',
    path: { file: { schema: { type: 'string' } } },
    answers: { 200: { ...text, type: 'image/webp' } },
  },
} satisfies Record<string, Description>
