import type { Description } from '../../jsonapi/description.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { readQuery } from '../../jsonapi/query/query.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { ofGuest } from '../../reservation/stays/rules/expect-guest.ts'
import { cardRun } from '../resources/card-run.ts'

const { base, path, scopes } = cardRun

/** The route by which a kiosk finds the cards of its guest, also one whose order had no answer that it could read. */
export function cardRunRoutes(store: Store): Route[] {
  function list(request: Request): Promise<Answer> {
    const asked = readQuery(store.resources, cardRun, request.query)
    const ofStay = {
      path: 'key.stayId',
      operator: 'eq' as const,
      value: (request.params.stayId ?? '').toLowerCase(),
    }
    const query = { ...asked.query, filters: [...asked.query.filters, ofStay] }
    return listAnswer(store, cardRun, { ...asked, query }, request)
  }

  return [ofGuest(routesAt(base)('GET', `${path}/by-stay/:stayId`, scopes.read, says, list))]
}

const says: Description = {
  ...resourceDescriptions(cardRun).list,
  id: 'listCardRunsOfStay',
  summary: 'List the issuances of the cards of a stay',
  notes: `A kiosk needs a proof of the guest. When the answer to the order of a card was lost, the newest issuance says whether the card lies
at the gate: tell the guest to take it, instead of saying that no card could be made.`,
}
