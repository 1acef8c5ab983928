import { bay } from '../../src/devices/bay/bay.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { GuestLink, GuestLinkDriver, GuestLinkSetup } from '../../src/devices/network/guest-link.ts'
import { keyOrders, keyRecords } from './as-key-system/key-orders.ts'
import { type VendorLink, vendorLink } from './as-key-system/vendor-link.ts'
import { codePage } from './code-page.ts'
import { NotSent } from './line.ts'
import { announced } from './protocol.ts'
import { readField } from './read-field.ts'
import type { FiasRecord } from './record.ts'
import { lineSettings, requestSettings, serviceSchema } from './settings.ts'
import { wires } from './wires.ts'

/** A PMS reports its guests over FIAS, and may order keys on the same line. The appliance acts as a vendor's system. */
export const fiasGuests: GuestLinkDriver = { connection: serviceSchema, readField, open }

/** The records about guests and rooms that the appliance wants. */
const guestRecords = announced('GI', 'GC', 'GO', 'RE', 'DR', 'DS', 'DE')

function open(setup: GuestLinkSetup): GuestLink {
  const { name, clock, wallTime, unread, family, handle } = setup
  const settings = lineSettings(setup.connection)
  const { options } = requestSettings(setup.connection)
  const page = codePage(settings.codePage)
  const source = wires(settings, { ...setup, isThere: async () => (await newest?.isThere()) ?? false })
  const unanswered = (fault: Error) => setup.log({ bay: name, what: 'failed', at: clock.now(), fault })
  const orders = handle && keyOrders({ clock, options, handle, unanswered })
  const wanted = [...guestRecords, ...(orders ? keyRecords : [])]

  let newest: VendorLink | null = null
  /** The active link; null when there is none. */
  let linked: VendorLink | null = null

  const line = bay<VendorLink>({
    name,
    clock,
    log(event) {
      setup.log(event)
      if (event.what === 'online') return
      linked = null
      setup.cut(event.fault?.message ?? 'is closed')
    },
    offlineCode: 'adapter-timeout',
    startTimeoutMs: source.startTimeoutMs,
    backoff: source.backoff,
    async open(signal) {
      const wire = await source.open(signal)
      const received = (record: FiasRecord) => {
        if (!orders?.take(record, device)) setup.received(record)
      }
      const device: VendorLink = vendorLink(wire, {
        ...settings,
        clock,
        page,
        wallTime,
        family,
        wanted,
        received,
        unread,
        linked() {
          linked = device
          setup.linked()
        },
      })
      newest = device
      return { device, wire }
    },
    started: (device) => device.start(),
  })

  return {
    state: () => ({
      line: line.state(),
      since: line.since,
      fault: line.lastFault,
      refusals: source.refusals(),
    }),
    async send(id, fields) {
      if (!linked) throw new DeviceFault('adapter-timeout', `${name}: the PMS is not connected`)
      try {
        await linked.send(id, fields)
      } catch (error) {
        throw error instanceof NotSent ? notSent(name, error) : error
      }
    },
    async close() {
      await Promise.all([line.close(), source.close()])
    },
  }
}

function notSent(name: string, error: NotSent): DeviceFault {
  const { mayHaveArrived: outcomeUnknown } = error
  return new DeviceFault('adapter-timeout', `${name}: ${error.message}`, { outcomeUnknown, cause: error })
}
