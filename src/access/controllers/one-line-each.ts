import type { Driver } from '../../devices/driver.ts'
import { mayBeSameDevice } from '../../devices/wire.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { Problem } from '../../resource/problem.ts'
import { accessController } from '../resources/access-controller.ts'
import { dispenser } from '../resources/dispenser.ts'
import type { DeviceAddress } from './device-address.ts'

/**
 * Throws validation-failed when another device, not `id`, uses the line already, or a line that the same address may mean
 * (two HID devices of which one has no port and no serial number in its address). Devices may share a line if the driver
 * of one joins the other's, or if both join the same driver.
 */
export function expectLineFree(
  { reader }: Pick<Store, 'reader'>,
  drivers: readonly Driver[],
  { path, driver: model }: DeviceAddress,
  id: string | null,
): void {
  if (!path) return
  const driverOf = (word: string) => drivers.find(({ name, models }) => [name, ...models].includes(word))
  const mine = driverOf(model)
  const all = { filters: [], sort: [], page: { size: 1_000 } }
  const others = [...reader.rows(dispenser, all), ...reader.rows(accessController, all)]
  for (const { id: otherId, name, device } of others) {
    if (otherId === id || !device?.path || !mayBeSameDevice(device.path, path)) continue
    const theirs = driverOf(device.driver)
    const isShared =
      mine?.joins !== undefined && (mine.joins === theirs?.name || mine.joins === theirs?.joins)
    if (isShared || (mine && theirs?.joins === mine.name)) continue
    throw new Problem('validation-failed', `${name} already uses ${device.path}.`, {
      pointer: '/device/path',
    })
  }
}
