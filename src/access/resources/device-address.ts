import type { Driver } from '../../devices/driver.ts'
import { exactly } from '../../jsonapi/description.ts'

/** The address of a device, and its driver. */
export interface DeviceAddress {
  /** `/dev/serial/by-id/…`, or `tcp://host:port` for a serial device server; null where there is no device. */
  path?: string | null
  /** The driver's name, or one of its models. */
  driver: string
  /** A factor for every deadline of the driver. */
  patience?: number | null
  options?: Record<string, unknown> | null
}

/** A dispenser or an encoder with its address. */
export interface AddressedDevice {
  id: string
  name: string
  device: DeviceAddress
}

/** The driver of a device; undefined when it is not among these drivers. */
export function driverOf(drivers: readonly Driver[], { driver: model }: DeviceAddress): Driver | undefined {
  return drivers.find(({ name, models }) => name === model || models.includes(model))
}

/** The JSON Schema of a device address. */
export const deviceSchema = exactly(
  {
    path: { type: ['string', 'null'], minLength: 1, maxLength: 255 },
    driver: { type: 'string', minLength: 1, maxLength: 60 },
    patience: { type: ['number', 'null'], minimum: 0.01, maximum: 10 },
    options: { type: ['object', 'null'] },
  },
  ['path', 'patience', 'options'],
)
