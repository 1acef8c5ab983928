import { bodyReader } from '../../jsonapi/body.ts'
import { resourceDescriptions } from '../../jsonapi/resource-descriptions.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Route } from '../../jsonapi/route.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import { settings } from '../resources/settings.ts'
import type { ChangeSettings } from './change-settings.ts'

/** The route that changes the property's settings. */
export function settingsRoutes({ writer }: Store, changeSettings: ChangeSettings): Route[] {
  const body = bodyReader(settings)
  return [
    {
      method: 'PATCH',
      path: `${settings.path}/:id`,
      base: settings.base,
      scope: settings.scopes.write,
      description: {
        ...resourceDescriptions(settings).patch,
        body: { of: settings, partial: true, example: { checkInTime: '15:00' } },
      },
      handle: async (request) => {
        const attributes = await body.patch(await request.body())
        const input = { id: request.params.id ?? '', attributes, revision: expectedRevision(request) }
        return noContent((await writer.execute(changeSettings, input, writeOptions(request))).revision)
      },
    },
  ]
}
