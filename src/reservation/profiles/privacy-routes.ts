import type { Description } from '../../jsonapi/description.ts'
import { documentAnswer } from '../../jsonapi/document-answers.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Route, routesAt } from '../../jsonapi/route.ts'
import { expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import type { Command, Document } from '../../resource/command.ts'
import { profile } from '../resources/profile.ts'
import type { EraseInput } from './erase-profile.ts'

const route = routesAt('/api/v2')

/** The routes that erase a guest's personal data. */
export function privacyRoutes(
  { writer }: Pick<Store, 'writer'>,
  erase: Command<EraseInput, Document>,
): Route[] {
  return [
    route('POST', 'profiles/:profileId/actions/erase', 'privacy.erase', says, async (request) => {
      const input = { id: request.params.profileId ?? '', revision: expectedRevision(request) }
      return documentAnswer(await writer.execute(erase, input, writeOptions(request)))
    }),
  ]
}

const says: Description = {
  id: 'eraseProfile',
  summary: 'Erase the personal data of a guest permanently',
  notes: [
    'Erases the name and all other personal data of the profile, the comments of its stays and reservations, and personal data in synchronisation,',
    'printed cards and stored answers of idempotency keys. Receipts of payments are kept. Erase the guest in the PMS first: data that the PMS sends again are stored again.',
  ].join(' '),
  answers: { 200: { one: profile } },
  problems: ['personal-data-needed', 'revision-mismatch'],
}
