import type { Description } from '../../jsonapi/description.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { etag, type Route } from '../../jsonapi/route.ts'
import { expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import type { Command, Document } from '../../resource/command.ts'
import { profile } from '../resources/profile.ts'
import type { EraseInput } from './erase-profile.ts'

/** The routes that erase a guest's personal data. */
export function privacyRoutes(
  { writer }: Pick<Store, 'writer'>,
  erase: Command<EraseInput, Document>,
): Route[] {
  return [
    {
      method: 'POST',
      path: 'profiles/:profileId/actions/erase',
      base: '/api/v2',
      scope: 'privacy.erase',
      description: says,
      handle: async (request) => {
        const input = { id: request.params.profileId ?? '', revision: expectedRevision(request) }
        const { text, revision } = await writer.execute(erase, input, writeOptions(request))
        return { status: 200, text: `{"data":${text}}`, headers: { ETag: etag(revision) } }
      },
    },
  ]
}

const says: Description = {
  id: 'eraseProfile',
  summary: 'Erase the personal data of a guest for good',
  notes: [
    'The profile is left without a name. Comments of its stays and reservations go, and so does what synchronisation, printed cards and',
    'answers to idempotency keys hold of it. Receipts of payments stay. A PMS that knows the guest has to erase him first: what it tells again is taken in again.',
  ].join(' '),
  answers: { 200: { one: profile } },
  problems: ['personal-data-needed', 'revision-mismatch'],
}
