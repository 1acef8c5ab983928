import { type FaultCode, faults, type GuestWord, guestWords } from '../devices/fault.ts'
import { catalogue } from '../jsonapi/catalogue.ts'
import { guestText } from '../jsonapi/locales/guest-text.ts'
import { titleFor } from '../jsonapi/locales/title.ts'
import type { Request } from '../jsonapi/route.ts'
import { type ProblemCode, problems } from '../resource/problem.ts'

/** What happened, what it means for the client, and what to do. In English; `code` between backticks. */
interface Explanation {
  cause: string
  meaning: string
  action: string
}

/** The document of one code. */
export interface ProblemEntry {
  type: 'problem'
  id: string
  attributes: Explanation & {
    status: number
    title: string
    outcomeUnknown?: boolean | null
    retryAfterSeconds?: number | null
    guest?: GuestWord
    guestMeaning?: string
    guestText?: string
    guestLanguage?: string
  }
  links: { self: string }
}

/** Returns the documents of the appliance's own codes. */
export function ownProblems(): [code: string, ProblemEntry][] {
  return Object.entries(problems).map(([code, [status, title]]) =>
    entry(code as ProblemCode, { status, title }),
  )
}

/** Returns the documents of the faults of devices. */
export function deviceFaults(): [code: string, ProblemEntry][] {
  return Object.entries(faults).map(([code, { title, outcomeUnknown, retryAfter, guest }]) =>
    entry(code as FaultCode, { status: 502, title, outcomeUnknown, retryAfterSeconds: retryAfter, guest }),
  )
}

function entry(
  code: ProblemCode | FaultCode,
  attributes: Omit<ProblemEntry['attributes'], keyof Explanation>,
): [string, ProblemEntry] {
  const { status, title, ...more } = attributes
  const all = {
    status,
    title,
    ...catalogue<Record<ProblemCode | FaultCode, Explanation>>('explanations')[code],
    ...more,
  }
  return [code, { type: 'problem', id: code, attributes: all, links: { self: `/problems/${code}` } }]
}

/** Returns the entry with its title, and what the guest is told, in the language of the request. */
export function inWordsOf({ header }: Request, { attributes, ...rest }: ProblemEntry): ProblemEntry {
  const language = header('accept-language')
  const title = titleFor(language, rest.id, attributes.title)
  const { guest } = attributes
  const toGuest = guest && { guestMeaning: guestWords[guest], ...guestText(guest, language) }
  return { ...rest, attributes: { ...attributes, title, ...toGuest } }
}
