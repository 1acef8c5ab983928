import { faults, type GuestWord, guestWords } from './devices/fault.ts'
import { type Description, documentOf, exactly, listOf } from './jsonapi/description.ts'
import { guestText } from './jsonapi/guest-text.ts'
import { languages } from './jsonapi/language.ts'
import type { Answer, Request, Route } from './jsonapi/route.ts'
import { titleFor } from './jsonapi/title.ts'
import { Problem, problems } from './resource/problem.ts'

/**
 * Returns the routes to which `links.type` of an error points: the appliance's own documentation of its
 * codes, available without the internet.
 */
export function problemRoutes(): Route[] {
  const documents = new Map([...ownProblems(), ...deviceFaults()])
  const self = '/problems'

  function list(request: Request): Answer {
    const data = [...documents.values()].map((each) => inWordsOf(request, each))
    return answer({ data, links: { self } })
  }

  function read(request: Request): Answer {
    const found = documents.get(request.params.code ?? '')
    if (!found) throw new Problem('not-found', 'There is no problem with this code. GET /problems lists all.')
    return answer({ data: inWordsOf(request, found) })
  }

  return [
    { method: 'GET', path: 'problems', base: '', scope: null, handle: list, description: says.list },
    {
      method: 'GET',
      path: 'problems/:code',
      base: '',
      scope: null,
      description: says.read,
      handle: read,
    },
  ]
}

interface Entry {
  type: 'problem'
  id: string
  attributes: { status: number; title: string; guest?: GuestWord }
  links: { self: string }
}

function ownProblems(): [code: string, Entry][] {
  return Object.entries(problems).map(([code, [status, title]]) => entry(code, { status, title }))
}

function deviceFaults(): [code: string, Entry][] {
  return Object.entries(faults).map(([code, { title, outcomeUnknown, retryAfter, guest }]) =>
    entry(code, { status: 502, title, outcomeUnknown, retryAfterSeconds: retryAfter, guest }),
  )
}

function entry<A extends Entry['attributes']>(code: string, attributes: A): [string, Entry] {
  return [code, { type: 'problem', id: code, attributes, links: { self: `/problems/${code}` } }]
}

/** Returns the entry with its title, and what the guest is told, in the language of the request. */
function inWordsOf({ header }: Request, { attributes, ...rest }: Entry): Entry {
  const language = header('accept-language')
  const title = titleFor(language, rest.id, attributes.title)
  const { guest } = attributes
  const told = guest && { guestMeaning: guestWords[guest], ...guestText(guest, language) }
  return { ...rest, attributes: { ...attributes, title, ...told } }
}

function answer(body: object): Answer {
  return { status: 200, text: JSON.stringify(body) }
}

const link = { self: { type: 'string' } }
const attributes = exactly(
  {
    status: { type: 'integer', minimum: 400, maximum: 599 },
    title: { type: 'string' },
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

const says = {
  list: {
    id: 'listProblems',
    summary: 'List all problem codes with status and title',
    answers: { 200: { schema: listOf('problem', attributes, more) } },
  },
  read: {
    id: 'readProblem',
    summary: 'Read one problem code',
    path: { code: { schema: { type: 'string' } } },
    answers: { 200: { schema: documentOf('problem', attributes, more) } },
  },
} satisfies Record<string, Description>
