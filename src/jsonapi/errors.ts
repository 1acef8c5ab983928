import { randomUUID } from 'node:crypto'
import { Problem } from '../resource/problem.ts'
import { detailIn, detailOfApi } from './locales/detail.ts'
import { guestText } from './locales/guest-text.ts'
import { type Language, namedLanguage } from './locales/language.ts'
import { messageText } from './locales/message.ts'
import { titleFor } from './locales/title.ts'
import type { Answer } from './route.ts'

/** The largest number of error objects in one answer. */
export const mostErrors = 50

/** The Retry-After in seconds of a 429 or 503 whose Problem names none. */
const retryAfterUnsaid = 5

interface ErrorWords {
  /** The prefix of every pointer into attributes. */
  prefix?: string
  /** The Accept-Language header of the request, which selects the language of titles and details. */
  language?: string | undefined
}

/** Returns the answer to a problem: one error object for each problem, at most fifty, and how many more there are. */
export function errorAnswer(problem: Problem, words: ErrorWords = {}): Answer {
  const all = [problem, ...problem.others]
  const moreErrors = problem.more + Math.max(0, all.length - mostErrors)
  const { meta, retryAfter } = outerMeta(problem, moreErrors)
  const errorObjects = all.slice(0, mostErrors).map((each) => errorObject(each, words))
  const errors = errorObjects.map(({ error }) => error)
  const languages = new Set(errorObjects.flatMap(({ languages }) => languages))
  return {
    status: problem.status,
    text: JSON.stringify({ errors, ...(meta && { meta }) }),
    headers: {
      'Content-Language': [...languages].join(', '),
      ...(problem.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(problem.status === 405 && { Allow: [problem.options.meta?.allowed].flat().join(', ') }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
  }
}

/** Returns the error object of a problem, and the languages of its texts. */
function errorObject(
  { code, status, title, message, options }: Problem,
  { prefix = '/data/attributes', language: header }: ErrorWords,
) {
  const source = sourceOf(options, prefix)
  const guest = guestText(options.meta?.guest, header, options.guestLanguage)
  const reader = namedLanguage(header)
  const language = reader ?? 'en'
  const translated = reader && detailIn(reader, code, message)
  const { didYouMean } = options
  const error = {
    id: randomUUID(),
    status: String(status),
    code,
    title: titleFor(header, code, title),
    detail: [
      translated ?? detailOfApi(code, message),
      ...hintOf(didYouMean, translated ? language : 'en'),
    ].join(' '),
    ...(source && { source }),
    links: { type: `/problems/${code}` },
    ...((options.meta || didYouMean) && {
      meta: { ...options.meta, ...guest, ...(didYouMean && { didYouMean }) },
    }),
  }
  return {
    error,
    languages: [language, ...(translated ? [] : ['en']), ...(guest ? [guest.guestLanguage] : [])],
  }
}

/** The question after a detail, for the name that was probably meant; empty without one. */
function hintOf(name: string | undefined, language: Language): string[] {
  return name === undefined ? [] : [messageText(language, { code: 'did-you-mean', values: { name } })]
}

function sourceOf({ pointer, place, item, parameter, header }: Problem['options'], prefix: string) {
  if (parameter !== undefined) return { parameter }
  if (header !== undefined) return { header }
  if (place !== undefined)
    return { pointer: item === undefined ? place : place.replace('/data', `/data/${item}`) }
  if (pointer === undefined) return undefined
  if (item !== undefined) return { pointer: `/data/${item}/attributes${pointer}` }
  return { pointer: pointer === '' ? '' : `${prefix}${pointer}` }
}

/** A 502 repeats the device's error code in the top-level meta, so that a client finds it at once. */
function outerMeta({ status, options: { meta = {} } }: Problem, moreErrors: number) {
  const isPassing = status === 429 || status === 503
  const seconds = meta.retryAfterSeconds as number | undefined
  const retryAfter = seconds ?? (isPassing ? retryAfterUnsaid : undefined)
  if (status !== 502) return { retryAfter, ...(moreErrors > 0 && { meta: { moreErrors } }) }
  return { retryAfter, meta: { errorCode: meta.errorCode, outcomeUnknown: meta.outcomeUnknown } }
}

/** Converts an error that is not a Problem to `internal`. The error's text appears only in the log. */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem(
        'internal',
        'An internal error occurred. It is in the log of the appliance under the id of the request. Try again.',
        { cause: error },
      )
}
