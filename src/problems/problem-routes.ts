import { guestWords } from '../devices/fault.ts'
import { html, isBrowser } from '../handbook/handbook-routes.ts'
import { type Description, documentOf, exactly, listOf } from '../jsonapi/description.ts'
import { languages } from '../jsonapi/locales/language.ts'
import { type Answer, mediaType, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { tagged } from '../openapi/openapi-routes.ts'
import { Problem } from '../resource/problem.ts'
import { deviceFaults, inWordsOf, ownProblems, type ProblemEntry } from './problem-entries.ts'

const route = routesAt('')

/**
 * Returns the routes to which `links.type` of an error points: the appliance's own documentation of its
 * codes, available without the internet.
 */
export function problemRoutes(): Route[] {
  let known: Map<string, ProblemEntry> | undefined
  const documents = () => (known ??= new Map([...ownProblems(), ...deviceFaults()]))
  const self = '/problems'

  async function list(request: Request): Promise<Answer> {
    const data = [...documents().values()].map((each) => inWordsOf(request, each))
    if (isBrowser(request)) return html((await pages()).problemsHtml(data), varies)
    return answer({ data, links: { self } })
  }

  async function read(request: Request): Promise<Answer> {
    const found = documents().get(request.params.code ?? '')
    if (!found) throw new Problem('not-found', 'There is no problem with this code. GET /problems lists all.')
    const data = inWordsOf(request, found)
    return isBrowser(request) ? html((await pages()).problemHtml(data), varies) : answer({ data })
  }

  return [
    route('GET', 'problems', null, says.list, list),
    route('GET', 'problems/:code', null, says.read, read),
  ]
}

/** The pages and their renderer are loaded with the first page that somebody reads. */
const pages = () => import('./problem-page.ts')

const varies = { Vary: 'Accept, Accept-Language' }

function answer(document: object): Answer {
  return tagged(JSON.stringify(document), mediaType, varies)
}

const link = { self: { type: 'string' } }
const attributes = exactly(
  {
    status: { type: 'integer', minimum: 400, maximum: 599 },
    title: { type: 'string', description: 'In the language of Accept-Language.' },
    cause: {
      type: 'string',
      description: 'What happened. `cause`, `meaning` and `action` are always in English.',
    },
    meaning: {
      type: 'string',
      description: 'What it means for the client: what was done, and what was not.',
    },
    action: { type: 'string', description: 'What to do.' },
    outcomeUnknown: {
      type: ['boolean', 'null'],
      description:
        'Whether the command may have been executed although it failed. Null if this differs from case to case.',
    },
    retryAfterSeconds: { type: ['integer', 'null'] },
    guest: {
      enum: Object.keys(guestWords),
      description: Object.entries(guestWords)
        .map(([word, meaning]) => `\`${word}\`: ${meaning}`)
        .join('\n\n'),
    },
    guestMeaning: { type: 'string', description: 'What the word means for the kiosk.' },
    guestText: { type: 'string', description: 'What the guest is told.' },
    guestLanguage: { enum: languages },
  },
  ['outcomeUnknown', 'retryAfterSeconds', 'guest', 'guestMeaning', 'guestText', 'guestLanguage'],
)
const more = { links: exactly(link) }

const notes = 'A browser (`Accept: text/html`) gets a page.'
const also = { 'text/html': { type: 'string' } }

const says = {
  list: {
    id: 'listProblems',
    summary: 'List all problem codes with status and title',
    notes,
    answers: { 200: { schema: listOf('problem', attributes, more), also, tagged: true } },
  },
  read: {
    id: 'readProblem',
    summary: 'Read one problem code',
    path: { code: { schema: { type: 'string' } } },
    notes,
    answers: { 200: { schema: documentOf('problem', attributes, more), also, tagged: true } },
  },
} satisfies Record<string, Description>
