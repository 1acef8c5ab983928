import { cachedSettings } from '../reservation/resources/house.ts'
import type { Settings } from '../reservation/resources/settings.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { first } from '../resource/query.ts'
import type { Resource, Row } from '../resource/resource.ts'
import { type AccessController, accessController } from './resources/access-controller.ts'
import { type AccessProvider, accessProvider } from './resources/access-provider.ts'
import { type Dispenser, dispenser } from './resources/dispenser.ts'

/** The part of the store that these functions read. */
type Stored = { reader: Reader }

/** Every row of a small resource, at most 1000. */
export function allOf<R extends Resource>({ reader }: Stored, resource: R): Row<R['fields']>[] {
  return reader.rows(resource, first())
}

/** The controller with this id. Throws controller-not-found. */
export function controllerBy({ reader }: Stored, id: string): AccessController {
  const row = reader.row(accessController, id)
  if (!row) throw new Problem('controller-not-found', 'There is no access controller with this id.')
  return row
}

/** The controller whose encoder stands in the dispenser; null where there is none. */
export function controllerIn(stored: Stored, dispenserId: string): AccessController | null {
  return allOf(stored, accessController).find((row) => row.dispenserId === dispenserId) ?? null
}

/** The dispenser with this id. Throws not-found. */
export function dispenserBy({ reader }: Stored, id: string): Dispenser {
  const row = reader.row(dispenser, id)
  if (!row) throw new Problem('not-found', 'There is no dispenser with this id.')
  return row
}

/** The provider of a controller's lock system; every controller has one. */
export function providerOf({ reader }: Stored, { providerId }: AccessController): AccessProvider {
  return reader.row(accessProvider, providerId)!
}

/** The settings of the property, which the first start of the program makes. */
export function settingsOf({ reader }: Stored): Settings {
  return cachedSettings(reader)!
}
