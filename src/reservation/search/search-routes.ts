import type { Clock } from '../../host/clock.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { detailIn } from '../../jsonapi/locales/detail.ts'
import { preferredLanguage } from '../../jsonapi/locales/language.ts'
import { readMemberQuery, unknownParameter } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import type { ListSource } from '../../jsonapi/serializer.ts'
import { Problem } from '../../resource/problem.ts'
import { momentAt } from '../resources/house.ts'
import { stay } from '../resources/stay.ts'
import { type Found, foundStays, kinds, type Search } from './found-stays.ts'

const textParameter = 'filter[text]'
/** The largest number of letters that are typed into a search. */
const longest = 200

/** The search of the front desk. */
export function searchRoutes(store: Store, clock: Pick<Clock, 'now'>): Route[] {
  const find = (request: Request) => answerOf(store, clock.now(), request)
  const route = routesAt('/api/v2')('GET', 'found-stays', stay.scopes.list ?? null, says, find)
  return [{ ...route, quota: 'search' }]
}

async function answerOf(store: Store, now: number, request: Request): Promise<Answer> {
  const { reader, resources, serializer } = store
  const { typed, rest } = readTyped(request.query)
  const asked = readMemberQuery(resources, stay, rest)
  const { today } = momentAt(reader, now)
  const { may } = request.caller
  const client = { hasGone: false }
  const forget = request.whenGone(() => {
    client.hasGone = true
  })
  const isGone = () => client.hasGone
  const search = { reader, typed, now, today, may, isGone, idsOf: idsOf(store, request) }
  const found = await foundStays(search).finally(forget)
  const shape = serializer.shape(stay, asked.fields.get(stay.type), request.caller)
  const stays = found.stays.filter(({ id }) => reader.idOf(stay, id) !== null)
  const kindOf = new Map(stays.map(({ id, foundBy }) => [id, foundBy]))
  const source: ListSource = {
    page: () => ({ documents: stays.map(({ id }) => reader.document(stay, id, shape)), more: false }),
    total: () => stays.length,
    related: (ids, relationship) => reader.related(stay, ids, relationship),
    about: (id) => ({ foundBy: kindOf.get(id) }),
    ...(found.unanswered.length > 0 && { meta: { unanswered: unansweredIn(request, found) } }),
  }
  return listAnswer(store, stay, asked, request, source)
}

/** Without an index a page is scanned by a thread, which may be busy. */
function idsOf({ reader, serializer }: Store, { whenGone }: Request): Search['idsOf'] {
  const shape = serializer.shape(stay, new Set())
  return async (filters, size, sort) => {
    const query = { filters: [...filters], sort: sort ? [sort] : [], page: { size } }
    return (await reader.page(stay, query, shape, whenGone)).documents.map(({ id }) => id)
  }
}

function unansweredIn(request: Request, { unanswered }: Found) {
  const language = preferredLanguage(request.header('accept-language'))
  return unanswered.map(({ kind, problem: { code, message } }) => ({
    foundBy: kind,
    code,
    detail: detailIn(language, code, message) ?? message,
  }))
}

/** Throws a 400 that names the parameter. */
function readTyped(query: URLSearchParams): { typed: string; rest: URLSearchParams } {
  const rest = new URLSearchParams(query)
  rest.delete(textParameter)
  for (const key of rest.keys())
    if (!/^(include$|fields\[)/.test(key))
      throw unknownParameter(key, [textParameter, 'include', 'fields[…]'])
  const given = query.getAll(textParameter)
  const typed = (given[0] ?? '').trim()
  if (given.length === 1 && [...typed].length <= longest) return { typed, rest }
  throw new Problem(
    'invalid-filter-value',
    `${textParameter}: expected one text of at most ${longest} letters.`,
    {
      parameter: textParameter,
      meta: { expected: `one text of at most ${longest} letters` },
    },
  )
}

const word = { type: 'string' }

const says = {
  id: 'findStays',
  summary: 'Find the stays that a typed text may mean',
  notes: `The search of a front desk. \`meta.foundBy\` of each stay says how it was found: by the \`code\` of a kiosk, a \`number\` of the
booking, a \`room\`, the name of a \`guest\`, or a \`nearName\`, in this order, and at most eight by each. A stay that was found in several
ways is listed once. Guests in house and guests who are still to come are before former ones. A near name has one or two wrong
letters. Near names are listed only where nothing else finds a guest who is in house or still to come: compare them with what the
guest says. A kind for which the caller has no scope is left out. \`meta.unanswered\` lists the kinds that gave no answer, such as with
\`busy\`. A text without a letter or digit finds no stay.`,
  query: {
    [textParameter]: {
      required: true,
      schema: { type: 'string', maxLength: longest },
      notes: 'What was typed: a code, a number, a room, or a name or a part of it.',
    },
  },
  answers: {
    200: {
      found: stay,
      about: { foundBy: { enum: kinds } },
      meta: {
        unanswered: {
          type: 'array',
          description: 'The kinds that gave no answer, and why.',
          items: exactly({ foundBy: { enum: kinds }, code: word, detail: word }),
        },
      },
    },
  },
  problems: ['invalid-filter-value'],
} satisfies Description
