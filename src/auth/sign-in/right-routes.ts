import type { Description } from '../../jsonapi/description.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, type Caller, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { account } from '../resources/account.ts'
import { station } from '../resources/station.ts'
import { token } from '../resources/token.ts'
import { confirmRight } from '../rights/made-rights.ts'
import { expectOwn } from '../rights/own-rights.ts'
import { type RightToConfirm, rightToConfirm } from '../rights/right-to-confirm.ts'
import { expectMayGive } from './station-routes.ts'

/** Returns the route with which an administrator confirms a right. An administrator confirms no more than the own rights. */
export function rightRoutes({ reader, writer }: Pick<Store, 'reader' | 'writer'>): Route[] {
  async function confirm(request: Request): Promise<Answer> {
    const id = request.params.id ?? ''
    const row = reader.row(rightToConfirm, id)
    if (row) expectMayConfirm(request.caller, row)
    await writer.execute(confirmRight, { id, revision: expectedRevision(request) }, writeOptions(request))
    return noContent()
  }

  function expectMayConfirm(caller: Caller, { kind, rightId }: RightToConfirm): void {
    if (kind === 'station') {
      expectMayGive(caller, reader.row(station, rightId)?.kind)
      return
    }
    const held = kind === 'token' ? reader.row(token, rightId) : reader.row(account, rightId)
    if (held) expectOwn(caller, held, 'right')
  }

  return [routesAt('/api/config/v1')('DELETE', 'rights-to-confirm/:id', 'accounts.write', says, confirm)]
}

const says = {
  ...resourceDescriptions(rightToConfirm).remove,
  summary: 'Confirm a token, an account or a station',
  notes:
    'One that was refused, because its maker lost the rights, is valid again and yours from now on. What is not right is ended instead: delete the token or the station, or disable the account.',
} satisfies Description
