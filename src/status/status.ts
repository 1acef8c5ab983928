import { type Language, preferredLanguage } from '../jsonapi/locales/language.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../jsonapi/route.ts'
import { cachedSettings } from '../reservation/resources/house.ts'
import { property } from '../reservation/resources/property.ts'
import { obstacleOf } from './status-checks.ts'
import { says } from './status-description.ts'
import { shortStatus, unreadableStatus, wholeStatus } from './status-document.ts'
import { type StatusOptions, statusFacts } from './status-facts.ts'

const open = routesAt('')
const first = { filters: [], sort: [], page: { size: 1 } }
/** The Retry-After of a failed readiness check, in seconds. */
const readyAgain = 5

/** Returns the routes for the health of the appliance: for people, supervisors and load balancers. */
export function statusRoutes({ reader }: Pick<Store, 'reader'>, options: StatusOptions): Route[] {
  const facts = statusFacts(options)
  /** The id of the last status: a database that cannot be read does not say it. */
  let id = 'unknown'

  async function ready(): Promise<Answer> {
    // A read of the disk can hang. It is therefore the last check, and is skipped when another check has failed.
    const output = obstacleOf(facts.known()) ?? obstacleOf(await facts.ofStore())
    if (output === null) return healthAnswer(200, { status: 'pass' })
    const answer = healthAnswer(503, { status: 'fail', output })
    return { ...answer, headers: { 'Retry-After': String(readyAgain) } }
  }

  async function status({ caller, header }: Request): Promise<Answer> {
    const [language, isWhole] = [preferredLanguage(header('accept-language')), caller.may('diagnostics.read')]
    const attributes = await attributesIn(language, isWhole).catch((error) => {
      if (!options.store.disk.problem(error)) throw error
      const { checks, ...short } = unreadableStatus(options.version, facts.known(), language)
      return isWhole ? { ...short, checks } : short
    })
    return { status: 200, text: JSON.stringify({ data: { type: 'status', id, attributes } }) }
  }

  async function attributesIn(language: Language, isWhole: boolean): Promise<object> {
    const [hotel] = reader.rows(property, first)
    const of = boxOf(reader, options)
    id = hotel?.id ?? of.serviceId
    const found = await facts.all()
    return isWhole ? wholeStatus(of, found, language) : shortStatus(of, found)
  }

  return [
    open('GET', 'healthz', null, says.alive, () => healthAnswer(200, { status: 'pass' })),
    open('GET', 'readyz', null, says.ready, ready),
    routesAt('/api/v2')('GET', 'status', 'status.read', says.status, status),
  ]
}

/** Returns a function that reads the whole status, in English. */
export function wholeStatusOf(
  { reader }: Pick<Store, 'reader'>,
  options: StatusOptions,
): () => Promise<object> {
  const facts = statusFacts(options)
  return async () => wholeStatus(boxOf(reader, options), await facts.all(), 'en')
}

function boxOf(reader: Store['reader'], { version, releaseId, startedAt }: StatusOptions) {
  const house = cachedSettings(reader)
  return { version, releaseId, startedAt, serviceId: house!.id, timeZone: house!.timeZone }
}

function healthAnswer(status: number, body: object): Answer {
  return { status, text: JSON.stringify(body), type: 'application/health+json' }
}
